import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount, createKey } from '@errand/accounts';
import { parseEuro } from '@errand/money';
import {
  createAwsClients,
  localCredentials,
  localRegion,
  localTableNames,
  systemClock,
} from '@errand/platform';
import { fuzzService } from '../../security/support/fuzz-service.ts';
import { makeMaterial, readOpenApi } from '../../security/support/make-material.ts';
import { milliseconds, printTable } from '../figures.ts';
import { startNode } from '../processes.ts';
import type { Watched } from './watch-process.ts';

const batches = 10;

/** Random requests over every route of one service with stand-in models, and what they leave in its process. */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { requests: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  });
  const requests = Number(values.requests);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-soak-'));
  const watchFile = path.join(dataDir, 'watched.jsonl');
  const service = await startNode('packages/local/main.ts', [], {
    readyWhen: /^Errand is running/,
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_REQUESTS: '100000000',
      SOAK_FILE: watchFile,
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'watch-process.ts')}`,
    },
  });
  try {
    const { baseUrl, keys } = await openAccounts(dataDir);
    const openApi = await readOpenApi(baseUrl);
    const rows: string[][] = [];
    const statuses = new Map<number, number>();
    const failures = new Map<string, number>();
    for (let batch = 0; batch < batches; batch++) {
      const seed = Number(values.seed) + batch * 1_000_000;
      const startedAt = performance.now();
      const done = await fuzzService({
        baseUrl,
        openApi,
        newMaterial: () => makeMaterial({ baseUrl, keys }),
        requests: requests / batches,
        atOnce: 16,
        seed,
      });
      const seconds = (performance.now() - startedAt) / 1000;
      for (const [status, count] of done.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
      for (const [kind, { count }] of done.failures) failures.set(kind, (failures.get(kind) ?? 0) + count);
      rows.push([
        String((batch + 1) * (requests / batches)),
        (done.requests / seconds).toFixed(0),
        ...(await readWatched(service.pid, watchFile)),
      ]);
    }
    printTable(
      ['requests so far', 'a second', 'heap', 'external', 'resident', 'longest delay of the event loop'],
      rows,
    );
    console.log(
      `\nAnswers: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map((pair) => pair.join(' x '))
        .join(', ')}\n`,
    );
    printTable(
      ['answers of 500 and above', 'count'],
      [...failures].map(([kind, count]) => [JSON.stringify(kind), count]),
    );
    const health = await fetch(`${baseUrl}/healthz`);
    console.log(`\nAfterwards: /healthz ${health.status}`);
  } finally {
    service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Two accounts that do not run out of credits. */
async function openAccounts(dataDir: string): Promise<{ baseUrl: string; keys: string[] }> {
  const { baseUrl, endpoints } = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    endpoints: { dynamodb: string; sqs: string; s3: string };
  };
  const { dynamodb } = createAwsClients({ region: localRegion, credentials: localCredentials, endpoints });
  const store = { dynamodb, tables: localTableNames, clock: systemClock };
  const keys: string[] = [];
  for (const name of ['one', 'other']) {
    const { accountId } = await createAccount(store, { name, creditsNanoEuro: parseEuro('100000') ?? 0 });
    keys.push((await createKey(store, { accountId, label: name })).key);
  }
  dynamodb.destroy();
  return { baseUrl, keys };
}

/** The longest delay since the last time, and memory after a collection. */
async function readWatched(pid: number, file: string): Promise<string[]> {
  const lines = async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
  const before = (await lines()).length;
  process.kill(pid, 'SIGUSR2');
  let written = await lines();
  for (; written.length === before; written = await lines()) await sleep(20);
  const watched = JSON.parse(written.at(-1) ?? '') as Watched;
  const megabytes = (value: number) => `${value.toFixed(0)} MB`;
  return [
    megabytes(watched.heapMegabytes),
    megabytes(watched.externalMegabytes),
    megabytes(watched.residentMegabytes),
    milliseconds(watched.longestDelayMilliseconds),
  ];
}
