import {
  budgetPeriods,
  cursorField,
  described,
  flagField,
  limits,
  named,
  numberField,
  priceFields,
  priceFrom,
  queryText,
  textField,
} from '@errand/platform';
import * as v from 'valibot';
import { chargeKinds, impactMeasures, keysOf, usageMeasures } from './charge.ts';
import { formatEuro } from './euro.ts';
import type { LedgerEntry } from './ledger.ts';
import type { SpentBudget } from './payer.ts';
import type { Purse } from './purse/purse.ts';

const optionalNumber = (description: string) => v.optional(numberField(description));

const measured = <M extends string>(descriptions: Record<M, string>) =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [name, optionalNumber(description)]),
  ) as Record<M, ReturnType<typeof optionalNumber>>;

export const entryView = v.object({
  id: v.string(),
  at: textField('When the work was done, or the credit given.'),
  writtenAt: v.optional(
    textField(
      'When the entry was written, if that was in a later hour than `at`. The ledger is sorted by it.',
    ),
  ),
  kind: described('What was charged, or `credit`.', v.picklist([...chargeKinds, 'credit'])),
  model: described('The id of the model that worked; null for a credit.', v.nullable(v.string())),
  runId: v.optional(textField('The run that the work was for.')),
  step: v.optional(numberField('The step of the run.')),
  requestId: v.optional(textField('The `X-Request-Id` of the request that the work was for.')),
  keyId: v.optional(textField('The id of the key that asked.')),
  skill: v.optional(
    described(
      'The skill that shaped the answer.',
      v.object({
        id: v.optional(v.string()),
        name: textField('The name at that time.'),
        version: v.optional(numberField('The published version.')),
      }),
    ),
  ),
  ...measured(usageMeasures),
  price: v.optional(
    described('The prices that were used, in EUR.', v.object({ from: priceFrom, ...priceFields })),
  ),
  ...measured(impactMeasures),
  probability: v.optional(
    described(
      'The probability on which the decision was made.',
      v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    ),
  ),
  brokenOff: v.optional(flagField('True if the work ended before its answer was complete.')),
  writtenOff: v.optional(
    textField(
      'The part of the price that is not charged, because nothing was there to pay for it: EUR, as a decimal.',
    ),
  ),
  amount: textField('EUR, as a decimal; negative for a charge.'),
});

export type EntryView = v.InferOutput<typeof entryView>;

const budgetView = v.object({
  amount: textField('What the key may spend in each period: EUR, as a decimal.'),
  period: described('Days, weeks (from Monday) and months begin at midnight UTC.', v.picklist(budgetPeriods)),
  spent: textField(
    'What calls of this period have cost, and what is set aside for those in work: EUR, as a decimal.',
  ),
  left: textField('The rest of the amount: EUR, as a decimal.'),
  endsAt: v.optional(textField('When the next period begins. Absent for a budget in total.')),
});

export const creditsView = v.object({
  balance: textField('What the account has: EUR, as a decimal.'),
  reserved: textField('The part of the balance that is set aside for calls in work: EUR, as a decimal.'),
  available: textField('The rest of the balance: EUR, as a decimal.'),
  budget: v.optional(
    described('The budget of the key that asks, if it has one.', named('Budget', budgetView)),
  ),
  entries: described('Ledger entries, newest first.', v.array(named('CreditEntry', entryView))),
  cursor: v.optional(cursorField()),
});

export type CreditsView = v.InferOutput<typeof creditsView>;

/** The money of an account as the key sees it that asks. */
export function describeCredits(
  { balanceNanoEuro, availableNanoEuro, budgets }: Purse,
  budget: SpentBudget | undefined,
): Omit<CreditsView, 'entries' | 'cursor'> {
  const view = {
    balance: formatEuro(balanceNanoEuro),
    reserved: formatEuro(balanceNanoEuro - availableNanoEuro),
    available: formatEuro(availableNanoEuro),
  };
  if (!budget) return view;
  const { name, limit, period, endsAtMilliseconds } = budget;
  const spentNanoEuro = budgets.get(name) ?? 0;
  return {
    ...view,
    budget: {
      amount: formatEuro(limit),
      period,
      spent: formatEuro(spentNanoEuro),
      left: formatEuro(Math.max(0, limit - spentNanoEuro)),
      ...(endsAtMilliseconds !== undefined && { endsAt: new Date(endsAtMilliseconds).toISOString() }),
    },
  };
}

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
  cursor: queryText,
});

/** What an entry may say beside what every entry says, in the order of the view. */
const details = [
  'runId',
  'step',
  'requestId',
  'keyId',
  'skill',
  ...keysOf(usageMeasures),
  'price',
  ...keysOf(impactMeasures),
  'probability',
  'brokenOff',
] as const satisfies (keyof LedgerEntry & keyof EntryView)[];

/** A ledger entry as callers see it: the amount in EUR, and nothing of the upstream. */
export const describeEntry = (entry: LedgerEntry): EntryView => ({
  id: entry.id,
  at: entry.at,
  writtenAt: entry.writtenAt,
  kind: entry.kind,
  model: entry.model ?? null,
  ...Object.fromEntries(details.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]]))),
  ...(entry.writtenOffNanoEuro !== undefined && { writtenOff: formatEuro(entry.writtenOffNanoEuro) }),
  amount: formatEuro(entry.amountNanoEuro),
});

/** A ledger entry as operators see it. */
export const describeEntryToOperator = (entry: LedgerEntry): EntryView & { upstream?: string } => ({
  ...describeEntry(entry),
  upstream: entry.upstream,
});
