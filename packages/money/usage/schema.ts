import {
  cursorField,
  described,
  fieldIssue,
  limits,
  named,
  numberField,
  oneOf,
  pageLimit,
  queryText,
  textField,
  validate,
} from '@errand/platform';
import * as v from 'valibot';
import { keysOf } from '../charge.ts';
import { entryView } from '../schema.ts';
import type { UsageQuery } from './report-usage.ts';
import { type GroupField, groupFields } from './rows.ts';
import { summed } from './tally.ts';
import { dayMilliseconds, floorToDay, type Span, toDay } from './times.ts';

const timeProblem = 'must be a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z';

const isoTime = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day means its beginning in UTC. */
const time = v.pipe(
  v.string(),
  v.check((text) => isDay(isoTime.exec(text)?.[1]) && !Number.isNaN(Date.parse(text)), timeProblem),
  v.transform((text) => Date.parse(text)),
);

/** `Date.parse` reads the 30th of February as a day of March. */
function isDay(day: string | undefined): boolean {
  const parsed = Date.parse(day ?? '');
  return !Number.isNaN(parsed) && toDay(parsed) === day;
}

const spanEntries = { from: v.optional(time), to: v.optional(time) };

export const entriesQuery = v.object({
  limit: pageLimit(limits.ledgerPageEntries),
  cursor: queryText,
  ...spanEntries,
});

export const entriesView = v.object({
  entries: described('Ledger entries, newest first.', v.array(named('CreditEntry', entryView))),
  cursor: v.optional(cursorField()),
});

const groupProblem = `must be some of ${groupFields.join(', ')}, with commas between them`;
const oneTime = 'day and hour exclude each other';

const usageQuery = v.object({
  ...spanEntries,
  groupBy: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.everyItem((field) => (groupFields as readonly string[]).includes(field), groupProblem),
      v.check((fields) => !(fields.includes('day') && fields.includes('hour')), oneTime),
    ),
    'day',
  ),
  scope: v.optional(oneOf(['account', 'organisation']), 'account'),
});

const group = (what: string) =>
  v.optional(
    described(`${what}, if rows are grouped by it. Null where charges do not say.`, v.nullable(v.string())),
  );

const { amountNanoEuro: _, ...numbers } = summed;

const sumFields = Object.fromEntries(
  keysOf(numbers).map((name) => [name, numberField(numbers[name])]),
) as Record<keyof typeof numbers, ReturnType<typeof numberField>>;

const usageRow = v.object({
  day: group('The day in UTC, as `2026-11-21`'),
  hour: group('The hour in UTC, by the time of its beginning'),
  key: group('The id of the key'),
  model: group('The id of the model'),
  kind: group('The kind of charge'),
  skill: group('The name of the skill'),
  amount: textField(summed.amountNanoEuro),
  ...sumFields,
});

export const usageView = v.object({
  from: textField('The beginning of what is summed up, inclusive.'),
  to: textField('Its end, exclusive.'),
  rows: described('A row for each group that was used, sorted.', v.array(named('UsageRow', usageRow))),
});

interface UsageText {
  from?: string;
  to?: string;
  groupBy?: string;
  scope?: string;
}

/**
 * Reads a query as it is written. Without times, the query covers the last 30 days, including today. Throws
 * `invalid_request`.
 */
export function readUsageQuery(
  text: UsageText,
  now: number,
): UsageQuery & { scope: 'account' | 'organisation' } {
  const { from, to, groupBy, scope } = validate(usageQuery, text);
  const end = to ?? floorToDay(now) + dayMilliseconds;
  const span = { from: from ?? end - limits.usageDaysByDefault * dayMilliseconds, to: end };
  checkSpan(span);
  return { ...span, groupBy: groupBy as GroupField[], scope };
}

function checkSpan({ from, to }: Span): void {
  if (to <= from) throw fieldIssue('to', 'must be after from');
  if (to - from > limits.usageDays * dayMilliseconds)
    throw fieldIssue('to', `must be at most ${limits.usageDays} days after from`);
}
