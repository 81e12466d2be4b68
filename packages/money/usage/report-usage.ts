import { DomainError, type Principal, toIso } from '@errand/platform';
import type { TimedStoreDeps } from '../deps.ts';
import { ledgerOf } from '../ledger.ts';
import { type ReportOptions, startReport } from './deps.ts';
import { createRows, type GroupField, type UsageRow } from './rows.ts';
import { sumUsage } from './sum-usage.ts';
import type { Group } from './tally.ts';
import type { Span } from './times.ts';

export interface UsageQuery extends Span {
  groupBy: readonly GroupField[];
}

interface UsageReport {
  from: string;
  to: string;
  rows: UsageRow[];
}

/** An account with the organisation that pays for its work, if there is one; or an organisation as a whole. */
export type UsageOwner =
  | { accountId: string; organisationId?: string | undefined }
  | { accountId?: never; organisationId: string };

/**
 * What was used in the span. An account's work is in its own ledger or, if its organisation pays, in that of the
 * organisation. An organisation's usage is the work that it paid. Throws `store_unavailable` if there is more to roll up
 * than fits into the time of a request; each report gets further.
 */
export async function reportUsage(
  deps: TimedStoreDeps,
  owner: UsageOwner,
  { from, to, groupBy }: UsageQuery,
  options: ReportOptions = {},
): Promise<UsageReport> {
  const report = startReport(deps, options);
  const rows = createRows(groupBy);
  const span = { from, to, byHour: groupBy.includes('hour') };
  const { accountId, organisationId } = owner;
  if (accountId !== undefined) await sumUsage(report, ledgerOf({ accountId }), span, rows.add);
  if (organisationId !== undefined)
    await sumUsage(report, ledgerOf({ organisationId }), span, (day, groups) =>
      rows.add(day, accountId === undefined ? groups : groupsOf(accountId, groups)),
    );
  return { from: toIso(from), to: toIso(to), rows: rows.toList() };
}

function* groupsOf(accountId: string, groups: Iterable<Group>): Generator<Group> {
  for (const group of groups) if (group[1][0] === accountId) yield group;
}

/** Whose usage a key may read. Throws `operator_only` if that is not the organisation's. */
export function usageOwnerOf(principal: Principal, scope: 'account' | 'organisation'): UsageOwner {
  const { accountId, organisationId, limits } = principal;
  if (scope === 'account') return { accountId, organisationId };
  if (organisationId === undefined || !limits?.isOperator) throw new DomainError('operator_only');
  return { organisationId };
}
