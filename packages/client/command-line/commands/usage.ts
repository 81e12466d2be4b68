import { type Command, InvalidArgumentError, Option } from 'commander';
import { InvalidRequestError } from '../../errors.ts';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import type { Session } from '../session/session.ts';
import { sparkline } from '../shown/bars.ts';
import { tableLines } from '../shown/table.ts';
import { count, euros, utcTime } from '../shown/words.ts';

type Row = components['schemas']['UsageRow'];
type Report = components['schemas']['UsageReport'];

interface Options {
  from?: string;
  to?: string;
  groupBy: string;
}

const groups = ['day', 'hour', 'key', 'model', 'kind', 'skill'];

function readGroups(text: string): string {
  const unknown = text.split(',').find((name) => !groups.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${groups.join(', ')}.`);
  return text;
}

const dayMilliseconds = 86_400_000;
/** More days than a chart has room for. */
const mostDays = 400;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last day before a time, which ends a report. */
function lastDay(to: string): string {
  const at = Date.parse(to) - 1;
  return Number.isNaN(at) ? to : dayOf(at);
}

/** What each day of the report cost, days without work too. */
function dailyAmounts({ from, to, rows }: Report): number[] {
  const sums = new Map<string, number>();
  for (const { day, amount } of rows) sums.set(day ?? '', (sums.get(day ?? '') ?? 0) + Number(amount));
  const amounts: number[] = [];
  const first = Date.parse(from.slice(0, 10));
  const end = Math.min(Date.parse(to), first + mostDays * dayMilliseconds);
  for (let at = first; at < end; at = at + dayMilliseconds) amounts.push(sums.get(dayOf(at)) ?? 0);
  return amounts;
}

function usageLines(report: Report, groups: readonly string[]): string[] {
  const columns = [
    ...groups.map((group) => ({ head: group.toUpperCase() })),
    ...['COST', 'REQUESTS', 'TOKENS IN', 'TOKENS OUT'].map((head) => ({ head, right: true as const })),
  ];
  const rows = report.rows.map((row) => [
    ...groups.map((group) => row[group as keyof Row]?.toString() ?? '-'),
    euros(row.amount),
    ...[row.requests, row.inputTokens, row.outputTokens].map(count),
  ]);
  if (rows.length === 0) return ['Nothing was charged in this time.'];
  const chart = groups.includes('day') ? [`${sparkline(dailyAmounts(report))}  EUR a day`, ''] : [];
  return [...chart, ...tableLines(columns, rows)];
}

const periods = { day: 'a day', week: 'a week', month: 'a month', total: 'in total' } as const;

const budgetLine = ({ amount, period, left, endsAt }: components['schemas']['Budget']) =>
  `This key has ${euros(left)} left of ${euros(amount)} ${periods[period]}${endsAt ? `, again at ${utcTime(endsAt)}` : ''}.`;

/** The service refuses only what was asked of it, in words that name the option. */
function asWrongUsage(error: unknown): never {
  throw error instanceof InvalidRequestError ? new UsageError(error.message) : error;
}

async function usage(session: Session, { from, to, groupBy }: Options): Promise<void> {
  const { api } = await session.connect();
  const { signal } = session.interruption;
  const query = { groupBy, from: from || undefined, to: to || undefined };
  const [report, credits] = await Promise.all([
    api.GET('/v1/usage', { params: { query }, signal }).catch(asWrongUsage),
    api.GET('/v1/credits', { params: { query: { limit: 1 } }, signal }),
  ]);
  const { entries: _, cursor: __, ...money } = credits.data;
  session.show({ ...report.data, ...money }, () => [
    `${report.data.from.slice(0, 10)} to ${lastDay(report.data.to)}. Balance ${euros(money.balance)}, of which ${euros(money.reserved)} is reserved.`,
    ...(money.budget ? [budgetLine(money.budget)] : []),
    '',
    ...usageLines(report.data, groupBy.split(',')),
  ]);
}

export function defineUsage(program: Command, session: Session): void {
  program
    .command('usage')
    .description('what was charged, and what is left')
    .option('--from <day>', 'inclusive: a day (2026-11-21) or a time in UTC; 30 days ago if absent')
    .option('--to <day>', 'exclusive')
    .addOption(
      new Option('--group-by <fields>', `some of ${groups.join(', ')}, with commas between`)
        .default('day')
        .argParser(readGroups),
    )
    .addHelpText(
      'after',
      '\nWith --json: one document, {from, to, rows, balance, reserved, available, budget?}.',
    )
    .action((options: Options) => usage(session, options));
}
