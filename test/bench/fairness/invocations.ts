import { createAccount, createKey } from '@errand/accounts';
import { localQueues } from '@errand/local/testing';
import { parseEuro } from '@errand/money';
import { delay, localTableNames, systemClock } from '@errand/platform';
import { batchFor, invocationsFor } from '../../../infra/concurrency.ts';
import { functionShapes } from '../../../infra/functions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import { type EventSource, startEventSource } from '../../support/lambda/event-source.ts';
import { startProvider } from '../../support/model-server.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { milliseconds } from '../figures.ts';

interface Given {
  runsAtOnce: number;
  noisyRuns: number;
  smallRuns: number;
  /** How long a completion takes. */
  seconds: number;
}

/**
 * The bundled worker behind an event source mapping. The time ends when a run asks its model, just after its first event. The
 * noisy account has all that it may have when the small one comes.
 */
export async function measureInvocations({
  runsAtOnce,
  noisyRuns,
  smallRuns,
  seconds,
}: Given): Promise<string[]> {
  const gate = Promise.withResolvers<void>();
  const asked = new Map<string, () => void>();
  const provider = await startProvider(async ({ messages }) => {
    const said = JSON.stringify(messages);
    for (const [question, tell] of asked) if (said.includes(question)) tell();
    if (said.includes('noise')) await gate.promise;
    await delay(seconds * 1000);
    return messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_todos', args: { todos: [] } }] };
  });
  const cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  const agents = await cloud.start('agents', { environment: { RATE_LIMIT_REQUESTS: '100000000' } });
  const source = await startWorkers(cloud, runsAtOnce);
  const noisy = await newKey(cloud);
  const small = await newKey(cloud);
  const firstAsked = async (question: string): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.set(question, resolve);
    const started = performance.now();
    await createRun(agents, small, question);
    await promise;
    return performance.now() - started;
  };
  const measure = async (name: string) => {
    const times = Array.from({ length: smallRuns }, (_, i) => firstAsked(`What is ${name} ${i}?`));
    return (await Promise.all(times)).toSorted((a, b) => a - b);
  };
  await measure('warm');
  const alone = await measure('alone');
  for (let i = 0; i < noisyRuns; i++) await createRun(agents, noisy, 'What is all this noise?');
  gate.resolve();
  const behind = await measure('behind');
  const figures = [behind[0], behind.at(-1), alone.at(-1)].map((time) => milliseconds(time ?? Number.NaN));
  for (const each of source.environments()) await each.stop();
  await source.stop();
  await cloud.stop();
  await provider.close();
  return figures;
}

async function startWorkers(cloud: Cloud, runsAtOnce: number): Promise<EventSource> {
  const { invocations, runs } = invocationsFor(runsAtOnce);
  const { sqs } = cloud.clients;
  const { queueUrl, arns } = await localQueues(sqs);
  return startEventSource({
    ...{
      sqs,
      queueUrl,
      queueArn: arns.queue,
      batchSize: batchFor(runs),
      maximumConcurrency: invocations,
    },
    timeoutMilliseconds: () => functionShapes.worker.timeoutSeconds * 1000,
    start: () => cloud.start('worker', { environment: { RUNS_PER_INVOCATION: String(runs) } }),
  });
}

async function newKey({ clients }: Cloud): Promise<string> {
  const store = { dynamodb: clients.dynamodb, tables: localTableNames, clock: systemClock };
  const creditsNanoEuro = parseEuro('100') ?? 0;
  const { accountId } = await createAccount(store, { name: 'fairness', creditsNanoEuro });
  return (await createKey(store, { accountId, label: 'fairness' })).key;
}

async function createRun(agents: CloudFunction, key: string, question: string): Promise<void> {
  const { statusCode, text } = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ question }),
    key,
  });
  if (statusCode !== 202) throw new Error(`a run was not accepted: ${statusCode} ${await text()}`);
  await text();
}
