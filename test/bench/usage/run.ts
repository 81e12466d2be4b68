import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { milliseconds, printTable } from '../figures.ts';
import type { Measured } from './report.ts';
import { seedLedger } from './seed.ts';

const day = 24 * 60 * 60 * 1000;
const yearDays = 365;
const midnight = Date.parse('2026-11-22T00:00:00Z');
/** All but the last hours of the year are closed, as in a request at noon. */
const now = midnight - day / 2;

/** A year of 1,000 entries a day, and a day of 500,000, reported by processes that have nothing in memory. */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { year: { type: 'string', default: '365000' }, day: { type: 'string', default: '500000' } },
  });
  const dynamo = await startTestDynamo();
  const year = { from: midnight - yearDays * day, to: midnight };
  const busy = { from: midnight - 2 * day, to: midnight - day };
  await seedLedger(dynamo, 'account_year', { ...year, to: now, entries: Number(values.year) });
  await seedLedger(dynamo, 'account_busy', { ...busy, entries: Number(values.day) });
  const rows = [];
  for (const [what, accountId, span, groupBy] of [
    ['a year by day, nothing rolled up', 'account_year', year, 'day'],
    ['again', 'account_year', year, 'day'],
    ['by hour', 'account_year', year, 'hour'],
    ['by key, model, kind and skill', 'account_year', year, 'key,model,kind,skill'],
    ['a busy day by hour, nothing rolled up', 'account_busy', busy, 'hour'],
    ['again', 'account_busy', busy, 'hour'],
  ] as const)
    rows.push(toRow(what, await report(dynamo, accountId, span, groupBy)));
  printTable(['report', 'time', 'CPU', 'DynamoDB requests', 'rows', 'memory of the process at most'], rows);
  await dynamo.close();
}

const toRow = (what: string, measured: Measured): (string | number)[] => [
  what,
  milliseconds(measured.milliseconds),
  milliseconds(measured.cpuMilliseconds),
  measured.requests,
  measured.rows,
  `${measured.peakMegabytes.toFixed(0)} MB`,
];

const program = path.join(import.meta.dirname, 'report.ts');

async function report(
  { endpoint }: TestDynamo,
  accountId: string,
  { from, to }: { from: number; to: number },
  groupBy: string,
): Promise<Measured> {
  const given = [endpoint, accountId, from, to, now, groupBy].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...given]);
  return JSON.parse(stdout) as Measured;
}
