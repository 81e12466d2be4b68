import { limits } from '@errand/platform';
import * as v from 'valibot';
import { chargeKinds, type LedgerEntry } from './ledger.ts';
import { formatEuro } from './money.ts';

export const entryView = v.object({
  at: v.string(),
  kind: v.picklist([...chargeKinds, 'credit']),
  model: v.nullable(v.string()),
  runId: v.optional(v.string()),
  inputTokens: v.optional(v.number()),
  outputTokens: v.optional(v.number()),
  seconds: v.optional(v.number()),
  amount: v.string(),
});

export type EntryView = v.InferOutput<typeof entryView>;

export const creditsView = v.object({
  balance: v.string(),
  reserved: v.string(),
  available: v.string(),
  entries: v.array(entryView),
  cursor: v.optional(v.string()),
});

export type CreditsView = v.InferOutput<typeof creditsView>;

const limitProblem = `must be a whole number from 1 to ${limits.ledgerPageEntries}`;

export const creditsQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9}$/, limitProblem),
      v.transform(Number),
      v.minValue(1, limitProblem),
      v.maxValue(limits.ledgerPageEntries, limitProblem),
    ),
    String(limits.ledgerPageEntries),
  ),
  cursor: v.optional(v.string()),
});

/** A ledger entry as callers and operators see it: the amount in EUR, and no id except the run's. */
export const describeEntry = (entry: LedgerEntry): EntryView => ({
  at: entry.at,
  kind: entry.kind,
  model: entry.model ?? null,
  ...(entry.runId !== undefined && { runId: entry.runId }),
  ...(entry.inputTokens !== undefined && { inputTokens: entry.inputTokens }),
  ...(entry.outputTokens !== undefined && { outputTokens: entry.outputTokens }),
  ...(entry.seconds !== undefined && { seconds: entry.seconds }),
  amount: formatEuro(entry.amountNanoEuro),
});
