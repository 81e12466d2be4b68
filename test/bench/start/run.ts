import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAwsClients, localCredentials, localRegion, localTableNames } from '@errand/platform';
import { milliseconds, percentiles, printTable } from '../figures.ts';
import { startNode } from '../processes.ts';
import { seedLedger } from '../usage/seed.ts';
import { seedRuns } from './seed.ts';

const day = 24 * 60 * 60 * 1000;
const readEveryMilliseconds = 20;
/** A report that fails this often never ends. */
const mostReports = 10;

interface ServiceFile {
  accountId: string;
  apiKey: string;
  baseUrl: string;
  endpoints: { dynamodb: string };
}

/** How long a start takes, what a read takes while expired items are looked for, and the first report of usage. */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: {
      entries: { type: 'string', default: '100000' },
      runs: { type: 'string', default: '5000' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-start-'));
  const seconds = Number(values.seconds);
  try {
    const rows = [await measure('an empty data folder', dataDir, seconds)];
    await fill(dataDir, Number(values.entries), Number(values.runs));
    const megabytes = (await stat(path.join(dataDir, 'dynamodb.sqlite'))).size / 1e6;
    const what = `${values.entries} entries, ${values.runs} runs, ${megabytes.toFixed(0)} MB`;
    rows.push(await measure(what, dataDir, seconds));
    rows.push(await measure('the same again', dataDir, seconds));
    printTable(
      ['kept', 'start', 'reads p50 / p99 / longest', 'first report of usage', 'requests of it refused'],
      rows,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const start = (dataDir: string) =>
  startNode('packages/local/main.ts', [], {
    readyWhen: /^Errand is running/,
    env: { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_REQUESTS: '100000000' },
  });

const serviceFile = async (dataDir: string) =>
  JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as ServiceFile;

async function fill(dataDir: string, entries: number, runs: number): Promise<void> {
  const service = await start(dataDir);
  const { accountId, endpoints } = await serviceFile(dataDir);
  const { dynamodb } = createAwsClients({
    region: localRegion,
    endpoints: { dynamodb: endpoints.dynamodb },
    credentials: localCredentials,
  });
  const now = Date.now();
  const store = { dynamodb, tables: localTableNames };
  await seedLedger(store, accountId, { from: now - 30 * day, to: now, entries });
  await seedRuns(dynamodb, runs);
  dynamodb.destroy();
  await stop(service);
}

async function measure(what: string, dataDir: string, seconds: number): Promise<(string | number)[]> {
  const begun = performance.now();
  const service = await start(dataDir);
  const started = performance.now() - begun;
  try {
    const { baseUrl, apiKey } = await serviceFile(dataDir);
    const get = async (route: string) => {
      const since = performance.now();
      const response = await fetch(`${baseUrl}${route}`, { headers: { Authorization: `Bearer ${apiKey}` } });
      await response.arrayBuffer();
      return { status: response.status, milliseconds: performance.now() - since };
    };
    const reads: number[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      reads.push((await get('/v1/credits')).milliseconds);
      await sleep(readEveryMilliseconds);
    }
    const { p50, p99 } = percentiles(reads);
    const since = performance.now();
    let refused = 0;
    while ((await get('/v1/usage?groupBy=day')).status !== 200) if (++refused === mostReports) break;
    return [
      what,
      milliseconds(started),
      `${milliseconds(p50)} / ${milliseconds(p99)} / ${milliseconds(Math.max(...reads))}`,
      milliseconds(performance.now() - since),
      refused,
    ];
  } finally {
    await stop(service);
  }
}

/** The embedded DynamoDB ends a moment after the service. */
async function stop(service: Awaited<ReturnType<typeof start>>): Promise<void> {
  service.stop();
  await sleep(2_000);
}
