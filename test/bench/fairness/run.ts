import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount, createKey } from '@errand/accounts';
import { awsSettings } from '@errand/local/testing';
import { parseEuro } from '@errand/money';
import { createAwsClients, delay, systemClock } from '@errand/platform';
import { startProvider } from '../../support/model-server.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { checkouts } from '../checkouts.ts';
import { milliseconds, printTable } from '../figures.ts';
import { startNode } from '../processes.ts';
import { firstEvent } from './first-event.ts';
import { type Load, measureInvocations } from './invocations.ts';

const noisyRuns = 1_000;
const noisyQuestion = 'What is all this noise?';
const smallRuns = 5;

/**
 * Measures how long a small account's runs wait for their first event behind 1,000 runs of another account, and with
 * nobody before them: with the stand-in models, and with completions that take some time. `--seconds 1` measures
 * completions of that time alone, `--against DIR` another checkout too. `--invocations` measures the functions' worker,
 * and `--sub-runs` too, behind 100 runs of which each has eight questions worked on by sub-runs.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: {
      seconds: { type: 'string' },
      against: { type: 'string' },
      invocations: { type: 'boolean', default: false },
      'sub-runs': { type: 'boolean', default: false },
    },
  });
  if (values['sub-runs']) return ofInvocations('sub-runs');
  if (values.invocations) return ofInvocations('runs');
  const rows: string[][] = [];
  for (const seconds of values.seconds === undefined ? [undefined, 0, 1, 10] : [Number(values.seconds)])
    for (const { name, root } of checkouts(values.against))
      rows.push([name, ...(await measure(root, seconds))]);
  printTable(
    ['service', 'a completion takes', 'first of 5 runs', 'last of 5 runs', 'last of 5 runs, alone'],
    rows,
  );
}

async function ofInvocations(load: Load): Promise<void> {
  const rows: string[][] = [];
  for (const runsAtOnce of [10, 100]) rows.push(await measureInvocations(runsAtOnce, load));
  printTable(
    [
      '`runsAtOnce`',
      'invocations, runs of each',
      'alone: model asked, p50 / longest',
      'first event',
      `behind ${load === 'runs' ? '1,000' : '100 with 8 sub-runs each'}: model asked`,
      'first event',
    ],
    rows,
  );
}

async function measure(root: string, seconds?: number): Promise<string[]> {
  // The noisy account's runs wait for each other, so that all of them are there when the small account comes.
  const gate = Promise.withResolvers<void>();
  const provider = await startProvider(async ({ messages }) => {
    if (JSON.stringify(messages).includes(noisyQuestion)) await gate.promise;
    await delay((seconds ?? 0) * 1000);
    return messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_todos', args: { todos: [] } }] };
  });
  const service = await start(root, seconds === undefined ? undefined : simpleCatalogue(provider.baseUrl));
  const small = await service.newKey();
  const alone = await firstEvents(service, small);
  const noisy = await service.newKey();
  const create = () => createRun(service, noisy, noisyQuestion);
  for (let i = 0; i < noisyRuns; i += 50) await Promise.all(Array.from({ length: 50 }, create));
  gate.resolve();
  const behind = await firstEvents(service, small);
  const figures = [behind[0], behind.at(-1), alone.at(-1)].map((time) => milliseconds(time ?? Number.NaN));
  await service.stop();
  await provider.close();
  return [seconds === undefined ? 'stand-ins' : `${seconds} s`, ...figures];
}

interface Service {
  baseUrl: string;
  /** The key of a new account. */
  newKey(): Promise<string>;
  stop(): Promise<void>;
}

async function start(root: string, catalogue: object | undefined): Promise<Service> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-fairness-'));
  const file = path.join(dataDir, 'catalogue.json');
  if (catalogue) await writeFile(file, JSON.stringify(catalogue));
  const { stop } = await startNode(path.join(root, 'packages/local/main.ts'), [], {
    cwd: root,
    quiet: true,
    readyWhen: /running/,
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_REQUESTS: '100000000',
      ...(catalogue && { MODEL_CATALOGUE: file }),
    },
  });
  const { baseUrl, endpoints } = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    endpoints: Parameters<typeof awsSettings>[0];
  };
  const settings = awsSettings(endpoints);
  const store = { ...createAwsClients(settings), tables: settings.tables, clock: systemClock };
  return {
    baseUrl,
    async newKey() {
      const creditsNanoEuro = parseEuro('100') ?? 0;
      const { accountId } = await createAccount(store, { name: 'fairness', creditsNanoEuro });
      return (await createKey(store, { accountId, label: 'fairness' })).key;
    },
    async stop() {
      stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createRun({ baseUrl }: Service, key: string, question: string): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ question }),
  });
  if (response.status !== 202) throw new Error(`a run was not accepted: ${response.status}`);
  return ((await response.json()) as { agentId: string }).agentId;
}

/** The milliseconds from the creation of each of a few runs to its first event, sorted. */
async function firstEvents(service: Service, key: string): Promise<number[]> {
  const times = await Promise.all(
    Array.from({ length: smallRuns }, async () => {
      const started = performance.now();
      const agentId = await createRun(service, key, 'What is measured?');
      const url = `${service.baseUrl}/v1/agents/runs/${agentId}/stream`;
      await firstEvent(await fetch(url, { headers: { Authorization: `Bearer ${key}` } }));
      return performance.now() - started;
    }),
  );
  return times.toSorted((a, b) => a - b);
}
