import { fieldIssue, limits, named, oneOf, pageLimit, validate } from '@errand/platform';
import * as v from 'valibot';
import { entryView } from '../schema.ts';
import type { UsageQuery } from './report-usage.ts';
import { type GroupField, groupFields } from './rows.ts';
import { dayMilliseconds, floorToDay, type Span, toDay } from './times.ts';

const timeProblem = 'must be a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z';

const isoTime = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day means its beginning in UTC. */
const time = v.pipe(
  v.string(),
  v.check((text) => isDay(isoTime.exec(text)?.[1]) && !Number.isNaN(Date.parse(text)), timeProblem),
  v.transform((text) => Date.parse(text)),
);

/** Date.parse takes the 30th of February for a day of March. */
function isDay(day: string | undefined): boolean {
  const parsed = Date.parse(day ?? '');
  return !Number.isNaN(parsed) && toDay(parsed) === day;
}

const spanEntries = { from: v.optional(time), to: v.optional(time) };

export const entriesQuery = v.object({
  limit: pageLimit(limits.ledgerPageEntries),
  cursor: v.optional(v.string()),
  ...spanEntries,
});

export const entriesView = v.object({
  entries: v.array(named('CreditEntry', entryView)),
  cursor: v.optional(v.string()),
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

const sum = v.number();
const group = v.optional(v.nullable(v.string()));

export const usageView = v.object({
  from: v.string(),
  to: v.string(),
  rows: v.array(
    named(
      'UsageRow',
      v.object({
        day: group,
        hour: group,
        key: group,
        model: group,
        kind: group,
        skill: group,
        amount: v.string(),
        requests: sum,
        inputTokens: sum,
        cachedInputTokens: sum,
        outputTokens: sum,
        seconds: sum,
        energy: sum,
        emissions: sum,
      }),
    ),
  ),
});

interface UsageText {
  from?: string | undefined;
  to?: string | undefined;
  groupBy?: string | undefined;
  scope?: string | undefined;
}

/** Reads a query as it is written. Without times it is of the last 30 days, today with them. Throws `invalid_request`. */
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
