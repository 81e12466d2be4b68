import { findUsageOwner } from '@errand/accounts';
import { readUsageQuery, reportUsage, type UsageRow, writeUsageCsv } from '@errand/money';
import { describeIssue, isDomainError } from '@errand/platform';
import { defineCommand } from '../command.ts';
import { noAccount, noOrganisation, orRefuse, Refusal } from '../refusal.ts';
import { ownerOf } from '../values.ts';

const usage = defineCommand({
  name: 'usage',
  oneOf: ['[--account <A>]', '[--organisation <ORG>]'],
  options: [
    '[--from <2026-11-01>]',
    '[--to <2026-12-01>]',
    '[--group-by <day,key>]',
    '[--csv]',
    '[--recount]',
  ],
  check(values) {
    ownerOf(values);
  },
  async run(store, values) {
    const { account, organisation, from, to, groupBy, csv, recount } = values;
    const query = readQuery({ from, to, groupBy }, store.clock());
    const report = await orRefuse(
      findUsageOwner(store, ownerOf(values)).then((owner) =>
        reportUsage(store, owner, query, { patienceMilliseconds: Infinity, recount }),
      ),
      organisation === undefined ? noAccount(account ?? '') : noOrganisation(organisation),
    );
    const lines = csv
      ? writeUsageCsv(query.groupBy, report.rows).trimEnd().split('\r\n')
      : [`From ${report.from} to ${report.to}`, ...report.rows.map((row) => toLine(query.groupBy, row))];
    return { json: report, lines };
  },
});

function readQuery(text: Parameters<typeof readUsageQuery>[0], now: number) {
  try {
    return readUsageQuery(text, now);
  } catch (error) {
    if (!isDomainError(error, 'invalid_request')) throw error;
    const lines = error.details.issues.map(describeIssue);
    throw new Refusal(lines.join('\n').replaceAll('groupBy', 'group-by'));
  }
}

const toLine = (groupBy: readonly (keyof UsageRow)[], row: UsageRow): string =>
  [
    ...groupBy.map((field) => row[field] ?? '-'),
    `${row.amount} EUR`,
    `${row.requests} requests`,
    `${row.inputTokens} + ${row.outputTokens} tokens`,
    ...(row.seconds > 0 ? [`${row.seconds} s`] : []),
  ].join('  ');

export const usageCommands = [usage];
