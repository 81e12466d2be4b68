import { impactMeasures, keysOf, usageMeasures } from '../charge.ts';
import type { LedgerEntry } from '../ledger.ts';

/** What usage is summed up over, with what callers are told of it. Stored roll-ups have the sums in this order: new ones go to the end. */
export const summed = {
  amountNanoEuro: 'What was charged: EUR, as a decimal. Positive.',
  requests: 'Charges. A run has one for each completion.',
  inputTokens: usageMeasures.inputTokens,
  cachedInputTokens: "The part of `inputTokens` from the providers' prompt caches.",
  outputTokens: usageMeasures.outputTokens,
  seconds: 'The length of recordings in seconds.',
  ...impactMeasures,
} as const satisfies { [S in keyof LedgerEntry | 'requests']?: string };

export const measures = keysOf(summed);

export type Measure = keyof typeof summed;

/** What a charge was for. Stored roll-ups have these in this order. */
export type Subject = readonly [
  accountId: string,
  keyId: string | null,
  model: string | null,
  kind: string,
  skill: string | null,
];

/** The hour of the day, 0 to 23, with what was used in it for one subject. The sums are those of `measures`. */
export type Group = readonly [hour: number, subject: Subject, sums: number[]];

/** Sums by hour and subject. */
export type Tally = Map<string, Group>;

export function addGroup(tally: Tally, hour: number, subject: Subject, sums: readonly number[]): void {
  const key = JSON.stringify([hour, ...subject]);
  const group = tally.get(key);
  if (!group) tally.set(key, [hour, subject, [...sums]]);
  else for (let i = 0; i < sums.length; i++) group[2][i] = (group[2][i] ?? 0) + sums[i]!;
}

/** The attributes of an entry that its usage is made of. */
export const usageAttributes = [
  'at',
  'kind',
  'accountId',
  'keyId',
  'model',
  'skill',
  ...measures.filter((measure) => measure !== 'requests'),
] as const satisfies (keyof LedgerEntry)[];

export type UsedEntry = Pick<LedgerEntry, (typeof usageAttributes)[number]>;

/** Adds a charge. Credits are no usage. */
export function addEntry(tally: Tally, entry: UsedEntry): void {
  if (entry.kind === 'credit') return;
  const { accountId, keyId = null, model = null, kind, skill } = entry;
  addGroup(
    tally,
    Number(entry.at.slice(11, 13)),
    [accountId, keyId, model, kind, skill?.name ?? null],
    measures.map((measure) =>
      measure === 'requests' ? 1 : measure === 'amountNanoEuro' ? 0 - entry[measure] : (entry[measure] ?? 0),
    ),
  );
}

/** The same sums without the hours. */
export function sumHours(groups: Iterable<Group>): Tally {
  const tally: Tally = new Map();
  for (const [, subject, sums] of groups) addGroup(tally, 0, subject, sums);
  return tally;
}
