import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount, createKey } from '@errand/accounts';
import { parseEuro } from '@errand/money';
import {
  createAwsClients,
  localCredentials,
  localRegion,
  localTableNames,
  systemClock,
} from '@errand/platform';
import { startNode } from '../processes.ts';
import type { Watched } from './watch-process.ts';

export interface WatchedService {
  baseUrl: string;
  pid: number;
  /** Of two accounts that do not run out of credits. */
  keys: string[];
  /** How the process is after a collection, with what was longest since the last time. */
  watched(): Promise<Watched>;
  stop(): Promise<void>;
}

/** The whole service on a data folder of its own, in a process that tells how it is. */
export async function startWatched(env: Record<string, string> = {}): Promise<WatchedService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-soak-'));
  const watchFile = path.join(dataDir, 'watched.jsonl');
  const service = await startNode('packages/local/main.ts', [], {
    readyWhen: /^Errand is running/,
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_REQUESTS: '100000000',
      SOAK_FILE: watchFile,
      // As `npm start` and the image set it.
      MALLOC_MMAP_THRESHOLD_: '131072',
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'watch-process.ts')}`,
      ...env,
    },
  });
  const stop = async () => {
    service.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const accounts = await openAccounts(dataDir);
    return { ...accounts, pid: service.pid, watched: () => readWatched(service.pid, watchFile), stop };
  } catch (error) {
    await stop();
    throw error;
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

async function readWatched(pid: number, file: string): Promise<Watched> {
  const lines = async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
  const before = (await lines()).length;
  process.kill(pid, 'SIGUSR2');
  let written = await lines();
  for (; written.length === before; written = await lines()) await sleep(20);
  return JSON.parse(written.at(-1) ?? '') as Watched;
}
