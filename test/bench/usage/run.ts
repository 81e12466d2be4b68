import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { milliseconds, printTable } from '../figures.ts';
import { measureCpu } from '../processes.ts';
import type { Measured } from './report.ts';
import { seedLedger } from './seed.ts';

const day = 24 * 60 * 60 * 1000;
const midnight = Date.parse('2026-11-22T00:00:00Z');
/** All but the last hours of the year are closed, as in a request at noon. */
const now = midnight - day / 2;

const busyDay = { from: midnight - 2 * day, to: midnight - day };
const daysBefore = (days: number) => ({ from: midnight - days * day, to: midnight });

/** Each ledger, which is left out if it is to have no entries, with the reports over it. */
const ledgers = [
  {
    name: 'month',
    entries: '100000',
    span: daysBefore(30),
    reports: [['100,000 entries, nothing rolled up', 'day']],
  },
  {
    name: 'year',
    entries: '365000',
    span: daysBefore(365),
    reports: [
      ['a year by day, nothing rolled up', 'day'],
      ['again', 'day'],
      ['by hour', 'hour'],
      ['by key, model, kind and skill', 'key,model,kind,skill'],
    ],
  },
  {
    name: 'day',
    entries: '500000',
    span: busyDay,
    reports: [
      ['a busy day by hour, nothing rolled up', 'hour'],
      ['again', 'hour'],
    ],
  },
] as const;

/** Reports over ledgers, by processes that have nothing in memory. */
export default async function run(args: string[]): Promise<void> {
  const options = Object.fromEntries(
    ledgers.map(({ name, entries }) => [name, { type: 'string' as const, default: entries as string }]),
  );
  const { values } = parseArgs({ args, options });
  const dynamo = await startTestDynamo();
  const rows = [];
  for (const { name, span, reports } of ledgers) {
    const entries = Number(values[name]);
    if (entries === 0) continue;
    await seedLedger(dynamo, `account_${name}`, { from: span.from, to: Math.min(span.to, now), entries });
    for (const [what, groupBy] of reports)
      rows.push(await measure(what, dynamo, `account_${name}`, span, groupBy));
  }
  printTable(
    [
      'report',
      'time',
      'CPU',
      "the store's CPU",
      'DynamoDB requests',
      'rows',
      'memory of the process at most',
    ],
    rows,
  );
  await dynamo.close();
}

const program = path.join(import.meta.dirname, 'report.ts');

async function measure(
  what: string,
  { endpoint, pid }: TestDynamo,
  accountId: string,
  { from, to }: { from: number; to: number },
  groupBy: string,
): Promise<(string | number)[]> {
  const given = [endpoint, accountId, from, to, now, groupBy].map(String);
  const storeCpu = measureCpu([pid]);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...given]);
  const measured = JSON.parse(stdout) as Measured;
  return [
    what,
    milliseconds(measured.milliseconds),
    milliseconds(measured.cpuMilliseconds),
    milliseconds(storeCpu()),
    measured.requests,
    measured.rows,
    `${measured.peakMegabytes.toFixed(0)} MB`,
  ];
}
