import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocal } from '@errand/local';
import { readConfig, silentLog } from '@errand/platform';
import { createParser } from 'eventsource-parser';
import { countRequests } from '../../support/count-requests.ts';
import { startProvider } from '../../support/model-server.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';

const rounds = 200;

interface Service {
  baseUrl: string;
  apiKey: string;
  endpoints: { dynamodb: string };
}

/** Measures how long runs take to be accepted and seen, and what each step costs in DynamoDB requests. */
export default async function run(): Promise<void> {
  const provider = await startProvider(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_todos', args: { todos: [] } }] },
  );
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(simpleCatalogue(provider.baseUrl)));
  const env = { PORT: '0', DATA_DIR: dataDir, MODEL_CATALOGUE: catalogue, RATE_LIMIT_REQUESTS: '1000000' };
  const config = readConfig('local', env);
  const start = (only: 'aws' | 'api' | 'worker') =>
    startLocal({ config, log: silentLog, only, onExit: (reason) => console.error(reason) });
  const aws = await start('aws');
  const api = await start('api');
  const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as Service;
  const requests = countRequests(service.endpoints.dynamodb);

  const authenticated = await measureAuthenticated(service, requests);
  const created = await measureCreation(service, requests);
  const before = requests();
  const worker = await start('worker');
  let events = 0;
  for (const agentId of created.ids) events += (await follow(service, agentId)).length;
  const workerRequests = requests() - before;
  const live = await measureLive(service);
  for (const part of [worker, api, aws]) await part.stop();
  const whole = await startLocal({ config, log: silentLog, onExit: (reason) => console.error(reason) });
  const together = await measureLive(JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')));
  await whole.stop();
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });

  printTable(
    ['what', 'p50', 'p99', 'DynamoDB requests'],
    [
      row('authenticated request (`GET /v1/agents`)', authenticated.times, authenticated.requests),
      row('create run, no worker running', created.times, created.requests),
      row('create run, worker in another part', live.created, created.requests),
      row('202 to first event at the reader, parts apart (polling)', live.first),
      row('202 to first event at the reader, one process', together.first),
      row('start of a commit to its event at the reader, parts apart (polling)', live.seen),
      row('start of a commit to its event at the reader, one process', together.seen),
    ],
  );
  console.log(
    `\nWorker and readers together, ${rounds} runs of ${events / rounds} events: ${(workerRequests / events).toFixed(2)} DynamoDB requests an event, ${(workerRequests / rounds).toFixed(1)} a run.`,
  );
}

const row = (what: string, times: number[], requests?: number) => {
  const { p50, p99 } = percentiles(times);
  return [what, milliseconds(p50), milliseconds(p99), requests === undefined ? '' : requests.toFixed(2)];
};

const authorization = ({ apiKey }: Service) => ({ Authorization: `Bearer ${apiKey}` });

async function measureAuthenticated(service: Service, requests: () => number) {
  const times: number[] = [];
  const before = requests();
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    const response = await fetch(`${service.baseUrl}/v1/agents`, { headers: authorization(service) });
    await response.arrayBuffer();
    times.push(performance.now() - started);
  }
  return { times, requests: (requests() - before) / rounds };
}

async function create(service: Service): Promise<string> {
  const response = await fetch(`${service.baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: { ...authorization(service), 'Content-Type': 'application/json' },
    body: JSON.stringify({ question: 'What is measured?' }),
  });
  return ((await response.json()) as { agentId: string }).agentId;
}

async function measureCreation(service: Service, requests: () => number) {
  const times: number[] = [];
  const ids: string[] = [];
  const before = requests();
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    ids.push(await create(service));
    times.push(performance.now() - started);
  }
  return { times, ids, requests: (requests() - before) / rounds };
}

interface Seen {
  id: number;
  seenAt: number;
}

async function follow(service: Service, agentId: string): Promise<Seen[]> {
  const response = await fetch(`${service.baseUrl}/v1/agents/runs/${agentId}/stream`, {
    headers: authorization(service),
  });
  const events: Seen[] = [];
  const parser = createParser({
    onEvent: ({ id }) =>
      void events.push({ id: Number(id), seenAt: performance.timeOrigin + performance.now() }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  return events;
}

async function measureLive(service: Service) {
  const created: number[] = [];
  const first: number[] = [];
  const seen: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    const agentId = await create(service);
    const accepted = performance.timeOrigin + performance.now();
    created.push(performance.now() - started);
    const events = await follow(service, agentId);
    first.push((events[0]?.seenAt ?? Number.NaN) - accepted);
    const page = await fetch(`${service.baseUrl}/v1/agents/runs/${agentId}/events`, {
      headers: authorization(service),
    });
    const committed = ((await page.json()) as { events: { id: number; at: string }[] }).events;
    for (const { id, at } of committed) {
      const reader = events.find((event) => event.id === id);
      if (reader) seen.push(reader.seenAt - Date.parse(at));
    }
  }
  return { created, first, seen };
}
