import { setTimeout as delay } from 'node:timers/promises';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import { sumUnits, type Units } from '../../support/lambda/units.ts';
import { startUpstream, type Wire } from '../../support/scripted-upstream.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { printTable } from '../figures.ts';
import { prices } from './prices.ts';

const rounds = 20;
const watchedSeconds = 30;
const thousand = 1_000;
const hourSeconds = 3_600;
const logBytesPerRequest = 1_000;

/** How long a function is busy with one thing. The models decide that, not this machine. */
const assumedSeconds = { run: 60, chat: 10, decision: 1, request: 0.05 } as const;

/** What one run, chat, decision or hour of watching uses, and how long it keeps which functions busy. */
interface Usage {
  units: Units;
  invocations: { name: FunctionName; seconds: number }[];
  edgeRequests: number;
  bytesOut: number;
}

/** Prints what 1,000 runs, chats and decisions and an hour of watching cost. Units are counted; prices are AWS's. */
export default async function run(): Promise<void> {
  const upstream = await startUpstream();
  upstream.script((wire, { path, body }) => answer(wire, path, body));
  const { baseUrl } = upstream;
  const cloud = await startCloud(
    simpleCatalogue(baseUrl, {
      models: [
        {
          id: 'judge',
          kind: 'decision',
          description: 'A scripted judge.',
          engine: 'systemone',
          upstream: { baseUrl: baseUrl.replace('/v1', ''), model: 'clef' },
          price: { inputPerMillionTokens: 1 },
        },
      ],
      roles: { decision: 'judge' },
    }),
  );
  const agents = await cloud.start('agents');
  const worker = await cloud.start('worker');
  const chat = await cloud.start('chat');
  const systemone = await cloud.start('systemone');
  const rows = [
    row('1,000 runs (one tool call each, not watched)', await measureRuns(cloud, agents, worker), thousand),
    row('1,000 streamed chats', await measurePosts(chat, 'chat', '/v1/chat/completions', chatBody), thousand),
    row(
      '1,000 decisions',
      await measurePosts(systemone, 'systemone', '/v1/systemone', decisionBody),
      thousand,
    ),
    row('1 hour of watching a quiet run', await measureWatching(cloud, agents), 1),
  ];
  await cloud.stop();
  await upstream.close();
  console.log(
    `Prices of ${prices.asOf}, us-east-1, USD. A run holds the worker ${assumedSeconds.run} s, a chat its`,
  );
  console.log(
    `function ${assumedSeconds.chat} s, a decision ${assumedSeconds.decision} s. Models' own prices are not in it.\n`,
  );
  printTable(
    [
      'what',
      'read units',
      'write units',
      'of indexes',
      'SQS',
      'S3',
      'GB-seconds',
      'tables',
      'Lambda',
      'edge and logs',
      'all',
    ],
    rows,
  );
}

const chatBody = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
const decisionBody = { model: 'judge', state: 'a case', questions: { q: { type: 'noul' } } };
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

async function answer(wire: Wire, path: string, body: Record<string, unknown>): Promise<void> {
  if (path.endsWith('/systemone'))
    return wire.json(200, {
      model: 'clef',
      answers: { q: { type: 'noul', noul: 0.75 } },
      usage: { input_tokens: 100, output_tokens: 0 },
    });
  const messages = body.messages as { role: string }[];
  if (body.stream) {
    const chunk = (delta: object, more: object = {}) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
    await wire.head(200, { 'Content-Type': 'text/event-stream' });
    await wire.send(...Array.from({ length: 200 }, () => chunk({ content: 'word ' })));
    await wire.send(chunk({}, { usage }), 'data: [DONE]\n\n');
    return wire.end();
  }
  const called = messages.some(({ role }) => role === 'tool');
  const call = { id: 'call', type: 'function', function: { name: 'write_todos', arguments: '{"todos":[]}' } };
  await wire.json(200, {
    choices: [
      {
        finish_reason: called ? 'stop' : 'tool_calls',
        message: {
          role: 'assistant',
          content: called ? 'An answer.' : null,
          ...(!called && { tool_calls: [call] }),
        },
      },
    ],
    usage,
  });
}

/** What the functions have used since, divided by the rounds. */
async function counted(functions: readonly CloudFunction[], work: () => Promise<void>): Promise<Units> {
  const total = () => sumUnits(functions.map((each) => each.units()));
  const before = { ...total() };
  for (let round = 0; round < rounds; round++) await work();
  const units = total();
  for (const name of Object.keys(units) as (keyof Units)[])
    units[name] = (units[name] - before[name]) / rounds;
  return units;
}

const json = { 'Content-Type': 'application/json' };

async function create(agents: CloudFunction): Promise<string> {
  const created = await agents.request('/v1/agents/runs', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ question: 'How deep is the lake?' }),
  });
  return (JSON.parse(await created.text()) as { agentId: string }).agentId;
}

async function measureRuns(cloud: Cloud, agents: CloudFunction, worker: CloudFunction): Promise<Usage> {
  const units = await counted([agents, worker], async () => {
    await create(agents);
    const { chunks } = worker.invoke({ Records: [await cloud.receive()] }, { milliseconds: 900_000 });
    for await (const _ of chunks);
  });
  // Lambda's poller receives and deletes each message.
  return {
    units: { ...units, queueRequests: units.queueRequests + 2 },
    invocations: [
      { name: 'agents', seconds: assumedSeconds.request },
      { name: 'worker', seconds: assumedSeconds.run },
    ],
    edgeRequests: 1,
    bytesOut: 1_000,
  };
}

async function measurePosts(
  target: CloudFunction,
  name: 'chat' | 'systemone',
  path: string,
  body: object,
): Promise<Usage> {
  let bytes = 0;
  let requests = 0;
  const units = await counted([target], async () => {
    const response = await target.request(path, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    if (response.statusCode !== 200)
      throw new Error(`${path}: ${response.statusCode} ${await response.text()}`);
    bytes = (await response.bytes()).length;
    await charged(target, ++requests);
  });
  const seconds = name === 'chat' ? assumedSeconds.chat : assumedSeconds.decision;
  return { units, invocations: [{ name, seconds }], edgeRequests: 1, bytesOut: bytes };
}

/** Waits for the charge of a decision, which follows its answer. */
async function charged(target: CloudFunction, times: number): Promise<void> {
  while (target.log().filter(({ message }) => message === 'charged').length < times) await delay(5);
}

/** Follows a run on which nothing happens for `watchedSeconds`, then multiplies that up to an hour. */
async function measureWatching(cloud: Cloud, agents: CloudFunction): Promise<Usage> {
  const agentId = await create(agents);
  await cloud.receive();
  const before = { ...agents.units() };
  const watching = await agents.request(`/v1/agents/runs/${agentId}/stream`, {
    milliseconds: (watchedSeconds + 5) * 1_000,
  });
  const bytes = (await watching.bytes()).length;
  const units = agents.units();
  const times = hourSeconds / watchedSeconds;
  for (const name of Object.keys(units) as (keyof Units)[])
    units[name] = (units[name] - before[name]) * times;
  const streams = hourSeconds / 300;
  return {
    units,
    invocations: [{ name: 'agents', seconds: hourSeconds }],
    edgeRequests: streams,
    bytesOut: bytes * times,
  };
}

function row(what: string, { units, invocations, edgeRequests, bytesOut }: Usage, times: number): string[] {
  const gigabyteSeconds = invocations.reduce(
    (sum, { name, seconds }) => sum + (seconds * functionShapes[name].memoryMegabytes) / 1_024,
    0,
  );
  const tables =
    (units.readUnits * prices.readUnitsPerMillion +
      (units.writeUnits + units.indexWriteUnits) * prices.writeUnitsPerMillion) /
    1e6;
  const stores =
    (units.queueRequests * prices.queueRequestsPerMillion) / 1e6 +
    (units.filePuts * prices.filePutsPerThousand + units.fileGets * prices.fileGetsPerThousand) / 1e3;
  const lambda =
    gigabyteSeconds * prices.lambdaGigabyteSecond +
    (invocations.length * prices.lambdaRequestsPerMillion) / 1e6;
  const edge =
    edgeRequests *
      (prices.edgeRequestsPerTenThousand / 1e4 +
        (prices.edgeFunctionsPerMillion + 2 * prices.edgeLookupsPerMillion) / 1e6) +
    (bytesOut * prices.edgeGigabyteOut + invocations.length * logBytesPerRequest * prices.logGigabyte) / 1e9;
  const dollars = (each: number) => `$${(each * times).toFixed(4)}`;
  const amount = (each: number) => (each * times).toFixed(0);
  return [
    what,
    amount(units.readUnits),
    amount(units.writeUnits),
    amount(units.indexWriteUnits),
    amount(units.queueRequests),
    amount(units.filePuts + units.fileGets),
    amount(gigabyteSeconds),
    dollars(tables + stores),
    dollars(lambda),
    dollars(edge),
    dollars(tables + stores + lambda + edge),
  ];
}
