import { createSemaphore, DomainError, limits, type Semaphore } from '@errand/platform';
import type { TimedStoreDeps } from '../deps.ts';

/** What the making of one report uses. */
export interface ReportDeps extends TimedStoreDeps {
  /** The pages of the ledger that are read at once: they may have 1 MB each. */
  reads: Semaphore;
  /** Whether stored roll-ups are made anew instead of read. */
  recount: boolean;
  /** Throws `store_unavailable` if the report has taken too long. */
  checkTime(): void;
}

export interface ReportOptions {
  patienceMilliseconds?: number;
  recount?: boolean;
}

export function startReport(
  deps: TimedStoreDeps,
  { patienceMilliseconds = limits.usageMilliseconds, recount = false }: ReportOptions = {},
): ReportDeps {
  const { dynamodb, tables, clock } = deps;
  const endsAt = clock() + patienceMilliseconds;
  return {
    dynamodb,
    tables,
    clock,
    recount,
    reads: createSemaphore(limits.usageReadsAtOnce),
    checkTime() {
      if (clock() > endsAt) throw new DomainError('store_unavailable');
    },
  };
}
