import { limits, named } from '@errand/platform';
import * as v from 'valibot';
import { chargeKinds, type LedgerEntry, usageFields } from './ledger.ts';
import { formatEuro } from './money.ts';

const optionalNumber = v.optional(v.number());

export const entryView = v.object({
  id: v.string(),
  at: v.string(),
  writtenAt: v.optional(v.string()),
  kind: v.picklist([...chargeKinds, 'credit']),
  model: v.nullable(v.string()),
  runId: v.optional(v.string()),
  step: optionalNumber,
  requestId: v.optional(v.string()),
  keyId: v.optional(v.string()),
  skill: v.optional(v.object({ id: v.optional(v.string()), name: v.string(), version: optionalNumber })),
  inputTokens: optionalNumber,
  cachedInputTokens: optionalNumber,
  cacheWriteTokens: optionalNumber,
  outputTokens: optionalNumber,
  reasoningTokens: optionalNumber,
  seconds: optionalNumber,
  price: v.optional(
    v.object({
      from: v.optional(v.string()),
      inputPerMillionTokens: optionalNumber,
      cachedInputPerMillionTokens: optionalNumber,
      cacheWritePerMillionTokens: optionalNumber,
      outputPerMillionTokens: optionalNumber,
      perSecond: optionalNumber,
    }),
  ),
  energy: optionalNumber,
  emissions: optionalNumber,
  brokenOff: v.optional(v.boolean()),
  writtenOff: v.optional(v.string()),
  amount: v.string(),
});

export type EntryView = v.InferOutput<typeof entryView>;

export const creditsView = v.object({
  balance: v.string(),
  reserved: v.string(),
  available: v.string(),
  entries: v.array(named('CreditEntry', entryView)),
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

/** What an entry may say beside what every entry says, in the order of the view. */
const details = [
  'runId',
  'step',
  'requestId',
  'keyId',
  'skill',
  ...usageFields,
  'price',
  'energy',
  'emissions',
  'brokenOff',
] as const satisfies (keyof LedgerEntry & keyof EntryView)[];

/** A ledger entry as callers see it: the amount in EUR, and nothing of the upstream. */
export const describeEntry = (entry: LedgerEntry): EntryView => ({
  id: entry.id,
  at: entry.at,
  ...(entry.writtenAt !== undefined && { writtenAt: entry.writtenAt }),
  kind: entry.kind,
  model: entry.model ?? null,
  ...Object.fromEntries(details.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]]))),
  ...(entry.writtenOffNanoEuro !== undefined && { writtenOff: formatEuro(entry.writtenOffNanoEuro) }),
  amount: formatEuro(entry.amountNanoEuro),
});

/** A ledger entry as operators see it. */
export const describeEntryToOperator = (entry: LedgerEntry): EntryView & { upstream?: string } => ({
  ...describeEntry(entry),
  ...(entry.upstream !== undefined && { upstream: entry.upstream }),
});
