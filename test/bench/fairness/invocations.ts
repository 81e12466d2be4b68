import { createAccount, createKey } from '@errand/accounts';
import { awsSettings, localQueues } from '@errand/local/testing';
import { parseCatalogue } from '@errand/models';
import { parseEuro } from '@errand/money';
import { delay, localTableNames, readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp } from '@errand/service';
import { batchFor, invocationsFor } from '../../../infra/concurrency.ts';
import { functionShapes } from '../../../infra/functions.ts';
import { type Cloud, startCloud } from '../../support/lambda/cloud.ts';
import { type EventSource, startEventSource } from '../../support/lambda/event-source.ts';
import { startProvider } from '../../support/model-server.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { median, milliseconds } from '../figures.ts';
import { firstEvent } from './first-event.ts';

const noise = 'What is all this noise?';
const parts = 'What are the parts of all that?';
const partsEach = 8;

/** What the noisy account asks for: runs, or runs of which each has questions worked on by others. */
const loads = {
  runs: { runs: 1_000, body: { question: noise } },
  'sub-runs': { runs: 100, body: { question: parts, effort: 'high' } },
} as const;

export type Load = keyof typeof loads;

const createdAtOnce = 50;
const smallRuns = 10;
const betweenMilliseconds = 2_000;
const leastHeldSeconds = 20;
const mostHeldSeconds = 60;

/**
 * The bundled worker behind an event source mapping, with the invocations of so many runs at once. The noisy account has all
 * places that it gets, and the rest of its runs in the queue; the small one then creates a run every few seconds. The row
 * has the times of the small one's runs alone and behind the others.
 */
export async function measureInvocations(runsAtOnce: number, load: Load): Promise<string[]> {
  const { runs: noisyRuns, body } = loads[load];
  const { invocations, runs } = invocationsFor(runsAtOnce);
  // Each environment listens for the end of this process.
  process.setMaxListeners(0);
  const models = await startModels(invocations * batchFor(runs));
  const catalogue = simpleCatalogue(models.baseUrl);
  const cloud = await startCloud(catalogue);
  const source = await startWorkers(cloud, runsAtOnce);
  const api = await startApi(cloud, catalogue);
  const [noisy, small] = [await newKey(cloud), await newKey(cloud)];
  const measure = async (name: string, waitMilliseconds: number): Promise<string[]> => {
    const times: number[][] = [];
    for (let i = 0; i < smallRuns; i++) {
      const question = `What is measured ${name} ${i}?`;
      const asked = models.nextAsked(question).then(() => performance.now());
      const created = performance.now();
      await firstEvent(await api.follow(small, await api.start(small, { question })));
      const seen = performance.now();
      times.push([(await asked) - created, seen - created]);
      await delay(waitMilliseconds);
    }
    return [0, 1].map((which) => {
      const sorted = times.map((each) => each[which] ?? Number.NaN);
      return `${milliseconds(median(sorted))} / ${milliseconds(Math.max(...sorted))}`;
    });
  };
  await measure('warm', 0);
  const alone = await measure('alone', 0);
  for (let i = 0; i < noisyRuns; i += createdAtOnce)
    await Promise.all(Array.from({ length: createdAtOnce }, () => api.start(noisy, body)));
  await models.full;
  const behind = await measure('behind', betweenMilliseconds);
  await end(source);
  await cloud.stop();
  await models.close();
  return [String(runsAtOnce), `${invocations} of ${runs}`, ...alone, ...behind];
}

interface Models {
  baseUrl: string;
  /** Resolves when the noisy account has so many runs in work. */
  full: Promise<void>;
  nextAsked(question: string): Promise<void>;
  close(): Promise<void>;
}

const investigation = {
  name: 'investigate',
  args: { questions: Array.from({ length: partsEach }, (_, i) => `${noise} Its part ${i + 1}.`) },
};

/** Answers the small account at once. The noisy one waits until it is full, and then 20 to 60 s for each completion. */
async function startModels(noisyPlaces: number): Promise<Models> {
  const full = Promise.withResolvers<void>();
  const asked = new Map<string, () => void>();
  let noisyAsked = 0;
  const { baseUrl, close } = await startProvider(async ({ messages }) => {
    const said = JSON.stringify(messages);
    for (const [question, tell] of asked) if (said.includes(question)) tell();
    if (said.includes(parts) && !said.includes(noise)) return { calls: [investigation] };
    if (said.includes(noise)) {
      if (++noisyAsked === noisyPlaces) full.resolve();
      await full.promise;
      const steps = mostHeldSeconds - leastHeldSeconds + 1;
      await delay(1000 * (leastHeldSeconds + ((7 * noisyAsked) % steps)));
    }
    return { text: 'Done.' };
  });
  return {
    ...{ baseUrl, close, full: full.promise },
    nextAsked: (question) => new Promise((resolve) => void asked.set(question, resolve)),
  };
}

/** The mapping first: it would start environments in place of those that are killed, and wait for them until the queue is empty. */
async function end(source: EventSource): Promise<void> {
  const stopped = source.stop();
  for (const each of source.environments()) await each.stop();
  await stopped;
}

/** Sub-runs count as requests of their account. */
const unbounded = { RATE_LIMIT_REQUESTS: '1000000' };

async function startWorkers(cloud: Cloud, runsAtOnce: number): Promise<EventSource> {
  const { invocations, runs } = invocationsFor(runsAtOnce);
  const { sqs } = cloud.clients;
  const { queueUrl, arns } = await localQueues(sqs);
  return startEventSource({
    ...{ sqs, queueUrl, queueArn: arns.queue },
    ...{ batchSize: batchFor(runs), maximumConcurrency: invocations },
    timeoutMilliseconds: () => functionShapes.worker.timeoutSeconds * 1000,
    start: () => cloud.start('worker', { environment: { RUNS_PER_INVOCATION: String(runs), ...unbounded } }),
  });
}

interface Api {
  start(key: string, body: object): Promise<string>;
  follow(key: string, agentId: string): Promise<Response>;
}

/** The API in this process: a function has one request at a time, and would take longer to create the runs. */
async function startApi({ endpoints, clients }: Cloud, catalogue: object): Promise<Api> {
  const config = {
    ...readConfig('local', unbounded),
    aws: awsSettings(endpoints, await localQueues(clients.sqs)),
  };
  const models = parseCatalogue(catalogue, () => undefined);
  const deps = createServiceDeps({ config, catalogue: models, clock: systemClock, log: silentLog });
  const app = createWholeApp(deps);
  const runs = '/v1/agents/runs';
  const headers = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });
  return {
    async start(key, body) {
      const request = { method: 'POST', headers: headers(key), body: JSON.stringify(body) };
      const response = await app.request(runs, request);
      if (response.status !== 202)
        throw new Error(`a run was not accepted: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { agentId: string }).agentId;
    },
    follow: async (key, agentId) => app.request(`${runs}/${agentId}/stream`, { headers: headers(key) }),
  };
}

async function newKey({ clients }: Cloud): Promise<string> {
  const store = { dynamodb: clients.dynamodb, tables: localTableNames, clock: systemClock };
  const creditsNanoEuro = parseEuro('100') ?? 0;
  const { accountId } = await createAccount(store, { name: 'fairness', creditsNanoEuro });
  return (await createKey(store, { accountId, label: 'fairness' })).key;
}
