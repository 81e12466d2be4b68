import { limits } from '@errand/platform';
import { type StandIns, startStandIns } from '@errand/stand-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, type RecordingServer, serve, serveAndRecord } from '../support/local-server.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import {
  type ServiceOptions,
  simpleCatalogue,
  startTestService,
  type TestService,
} from '../support/service.ts';
import { setLimit } from '../support/set-limit.ts';
import { standInCatalogue } from '../support/stand-in-catalogue.ts';
import { type Collector, startCollector } from './support/collector.ts';

const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

/** Words that callers write, and that are sent to nobody but models and tools. */
const secretWords = 'Ultramarine pelicans';
const collectorSecret = 'collector-secret-0123456789';

let collector: Collector;
let provider: Provider;
let standIns: StandIns;
/** In front of the models, to see what they are sent. */
let front: RecordingServer;
let page: LocalServer;
let toolServer: RecordingServer;

beforeAll(async () => {
  collector = await startCollector();
  provider = await startProvider();
  standIns = await startStandIns({ host: '127.0.0.1' });
  front = await serveAndRecord(async ({ path, body }, response) => {
    const [, name, ...rest] = path.split('/');
    const origins: Record<string, string> = {
      provider: new URL(provider.baseUrl).origin,
      models: new URL(standIns.baseUrl).origin,
      decisions: new URL(standIns.decisionBaseUrl).origin,
    };
    const answer = await fetch(`${origins[name ?? '']}/${rest.join('/')}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  page = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(`${secretWords} fly at noon.`);
  });
  toolServer = await serveAndRecord((_, response) => void response.writeHead(500).end());
});
afterAll(async () => {
  await Promise.all([collector, provider, standIns, front, page, toolServer].map((each) => each.close()));
});
beforeEach(() => {
  setLimit('spanBatchMilliseconds', 1);
  setLimit('spanSendMilliseconds', 600_000);
  collector.spans().length = 0;
  collector.received.length = 0;
  front.received.length = 0;
  toolServer.received.length = 0;
});

function catalogue(): object {
  const path = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  const stand = standInCatalogue({
    ...standIns,
    baseUrl: `${front.url}/models${path(standIns.baseUrl)}`,
    decisionBaseUrl: `${front.url}/decisions${path(standIns.decisionBaseUrl)}`,
  });
  return simpleCatalogue(`${front.url}/provider/v1`, {
    models: stand.models,
    roles: { ...stand.roles, reasoning: 'writer', vision: 'eyes' },
  });
}

async function startTraced(
  env: Record<string, string> = {},
  more: ServiceOptions = {},
): Promise<TestService> {
  return startTestService({
    catalogue: catalogue(),
    ...more,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorSecret}`,
      FETCH_ALLOWED_HOSTS: [page.host, toolServer.host].join(','),
      ...env,
    },
  });
}

interface Entry {
  id: string;
  kind: string;
  model: string;
  amount: string;
  inputTokens?: number;
  outputTokens?: number;
  energy?: number;
}

async function ledgerOf(service: TestService): Promise<Map<string, Entry>> {
  const answer = await service.request('/v1/credits/entries?limit=100');
  const { entries } = (await answer.json()) as { entries: Entry[] };
  return new Map(entries.map((entry) => [entry.id, entry]));
}

const nanoEuro = (amount: string) => Math.round(-Number(amount) * 1e9);

/** What of a span is in the ledger as well. */
const figuresOf = ({ of }: { of: Record<string, unknown> }) => [
  of['gen_ai.request.model'],
  of['errand.cost_nano_euro'],
  of['gen_ai.usage.input_tokens'],
  of['gen_ai.usage.output_tokens'],
  of['errand.energy_wms'],
];
const figuresOfEntry = (entry: Entry | undefined) =>
  entry && [entry.model, nanoEuro(entry.amount), entry.inputTokens, entry.outputTokens, entry.energy];

const chat = (stream: boolean) => ({
  model: 'writer',
  stream,
  messages: [{ role: 'user', content: secretWords }],
});
const decision = {
  model: 'stand-in-decision',
  state: secretWords,
  questions: { birds: { type: 'noul', instructions: 'Is this about birds?' } },
};

async function ask(service: TestService, path: string, body: object, headers = {}): Promise<void> {
  const answer = await service.post(path, body, { headers });
  expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.any(String)]);
}

describe('a service that sends spans', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTraced({ OTEL_PROPAGATE: 'true' });
  });
  afterAll(() => service.stop());

  const single: [string, string, object, string, string[] | undefined][] = [
    ['a plain completion', '/v1/chat/completions', chat(false), 'chat writer', ['stop']],
    ['a streamed completion', '/v1/chat/completions', chat(true), 'chat writer', ['length']],
    ['a response', '/v1/responses', { model: 'writer', input: secretWords }, 'chat writer', ['stop']],
    ['a message', '/v1/messages', { ...chat(false), max_tokens: 9 }, 'chat writer', ['stop']],
    ['a streamed message', '/v1/messages', { ...chat(true), max_tokens: 9 }, 'chat writer', ['length']],
    ['a decision', '/v1/systemone', decision, 'decision stand-in-decision', undefined],
    [
      'an embedding',
      '/v1/embeddings',
      { model: 'stand-in-embedding', input: secretWords },
      'embeddings stand-in-embedding',
      undefined,
    ],
  ];
  test.each(single)(
    'makes one of %s, with the numbers of the ledger',
    async (_, path, body, name, finish) => {
      provider.script(inTurn({ text: secretWords, ...(finish && { finish: finish[0] }) }));
      await ask(service, path, body, { traceparent });
      await expect.poll(() => collector.spans()).toHaveLength(1);
      const [span] = collector.spans();
      expect(span).toMatchObject({
        name,
        kind: 'client',
        traceId: parent.traceId,
        parentSpanId: parent.spanId,
      });
      const entry = (await ledgerOf(service)).get(String(span?.of['errand.charge.id']));
      expect(span && figuresOf(span)).toEqual(figuresOfEntry(entry));
      expect(span?.of['gen_ai.response.finish_reasons']).toEqual(finish);
      expect(front.received.map(({ headers }) => headers.traceparent)).toEqual([
        `00-${parent.traceId}-${span?.spanId}-01`,
      ]);
    },
  );

  test('makes one of a call that got no answer, with the code of the error, and takes no notice of a wrong traceparent', async () => {
    provider.script(() => ({ status: 400, body: JSON.stringify({ error: { message: secretWords } }) }));
    const answer = await service.post('/v1/chat/completions', chat(false), {
      headers: { traceparent: `00-${'0'.repeat(32)}-${parent.spanId}-01` },
    });
    expect(answer.ok).toBe(false);
    await expect.poll(() => collector.spans()).toHaveLength(1);
    const [span] = collector.spans();
    expect(span).toMatchObject({ name: 'chat writer', status: { code: 2 } });
    expect(span?.of['gen_ai.response.model']).toBe('upstream-writer');
    expect(span?.of['error.type']).toMatch(/^[a-z_]+$/);
    expect(span).not.toHaveProperty('parentSpanId');
    expect(span?.traceId).not.toBe('0'.repeat(32));
  });

  test('makes those of a run of what is stored of it, and tells models and servers of tools of the trace', async () => {
    provider.script(
      inTurn(
        {
          calls: [
            { name: 'document_parse', args: { url: `${page.url}/${encodeURIComponent(secretWords)}` } },
            { name: 'document_parse', args: { url: 'http://169.254.169.254/' } },
          ],
          text: secretWords,
        },
        { text: secretWords },
      ),
    );
    const answer = await service.post(
      '/v1/agents/runs',
      { question: secretWords, mcp: [{ label: 'tools', url: toolServer.url }] },
      { headers: { traceparent } },
    );
    const { agentId } = (await answer.json()) as { agentId: string };
    await service.follow(agentId);
    await expect.poll(() => collector.spans().length).toBeGreaterThan(0);
    const spans = collector.spans();
    const [root] = spans.filter(({ name }) => name === 'invoke_agent errand');
    expect(root).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId, kind: 'internal' });
    const others = spans.filter((span) => span !== root);
    expect(
      others.every(
        ({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === root?.spanId,
      ),
    ).toBe(true);
    const tools = others.filter(({ name }) => name === 'execute_tool document_parse');
    expect(tools.map(({ of }) => of['error.type'])).toEqual([undefined, 'tool_error']);
    const calls = others.filter(({ name }) => name === 'chat writer');
    const ledger = await ledgerOf(service);
    expect(calls.map(figuresOf)).toEqual(
      calls.map(({ of }) => figuresOfEntry(ledger.get(String(of['errand.charge.id'])))),
    );
    const charged = [...ledger.values()].filter(({ id }) => id.startsWith(`${agentId}:`));
    expect(calls).toHaveLength(charged.length);
    const cost = charged.reduce((sum, { amount }) => sum + nanoEuro(amount), 0);
    expect(root?.of['errand.run.cost_nano_euro']).toBe(cost);
    // A backend that adds up all spans of a trace counts nothing twice.
    const sum = (name: string) => spans.reduce((total, { of }) => total + Number(of[name] ?? 0), 0);
    expect(sum('errand.cost_nano_euro')).toBe(cost);
    for (const tokens of ['input_tokens', 'output_tokens'])
      expect(root?.of[`errand.run.${tokens}`]).toBe(sum(`gen_ai.usage.${tokens}`));
    expect(calls.map(({ of }) => of['gen_ai.response.finish_reasons'])).toContainEqual(['tool_calls']);
    const told = [...front.received, ...toolServer.received].map(({ headers }) => headers.traceparent);
    expect(new Set(told)).toEqual(new Set([`00-${parent.traceId}-${root?.spanId}-01`]));
    expect(toolServer.received.length).toBeGreaterThan(0);
  });

  test('sends no words of callers, models and tools, and no secret, but to its collector', async () => {
    provider.script(
      inTurn(
        {
          calls: [
            { name: 'save_data', args: { name: 'x', value: secretWords } },
            { name: secretWords, args: {} },
            { name: secretWords.replace(' ', '-'), args: {} },
            { name: `tools__${secretWords.replace(' ', '-')}`, args: {} },
          ],
          finish: secretWords,
        },
        { text: secretWords },
      ),
    );
    await service.follow(await service.start({ question: secretWords }));
    await ask(service, '/v1/chat/completions', chat(false));
    await ask(service, '/v1/systemone', decision);
    await expect.poll(() => collector.spans().filter(({ of }) => !of['errand.run.id'])).toHaveLength(2);
    await expect
      .poll(() => collector.spans().filter(({ name }) => name.startsWith('invoke_agent')))
      .toHaveLength(1);
    const names = collector.spans().map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('execute_tool')).toSorted()).toEqual([
      'execute_tool brought',
      'execute_tool save_data',
      'execute_tool unknown',
      'execute_tool unknown',
    ]);
    const sent = collector.received.map(({ body }) => body).join();
    for (const word of [...secretWords.split(' '), service.apiKey, collectorSecret])
      expect(sent).not.toContain(word);
    expect(collector.received.every(({ headers }) => headers['x-collector-key'] === collectorSecret)).toBe(
      true,
    );
    const elsewhere = JSON.stringify(
      [...front.received, ...toolServer.received].map(({ headers }) => headers),
    );
    expect(elsewhere).not.toContain(collectorSecret);
  });
});

test('without OTEL_PROPAGATE nobody else is told of a trace; with OTEL_CAPTURE_CONTENT spans of runs have bounded texts', async () => {
  setLimit('spanTextCharacters', 20);
  const service = await startTraced({ OTEL_CAPTURE_CONTENT: 'true' });
  provider.script(
    inTurn(
      {
        calls: [
          { name: 'save_data', args: { name: 'x', value: secretWords } },
          { name: secretWords, args: {} },
        ],
      },
      { text: `${secretWords} fly.` },
    ),
  );
  const body = { question: secretWords, mcp: [{ label: 'tools', url: toolServer.url }] };
  const answer = await service.post('/v1/agents/runs', body, { headers: { traceparent } });
  await service.follow(((await answer.json()) as { agentId: string }).agentId);
  await service.stop();
  const [root] = collector.spans().filter(({ name }) => name === 'invoke_agent errand');
  expect(root?.traceId).toBe(parent.traceId);
  expect(JSON.parse(String(root?.of['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: secretWords.slice(0, 20) }] },
  ]);
  const tool = collector.spans().find(({ name }) => name === 'execute_tool save_data');
  expect(String(tool?.of['gen_ai.tool.call.arguments'])).toHaveLength(20);
  const madeUp = collector.spans().find(({ name }) => name === 'execute_tool unknown');
  expect(madeUp?.of['gen_ai.tool.name']).toBe(secretWords.slice(0, 20));
  expect([...front.received, ...toolServer.received].filter(({ headers }) => headers.traceparent)).toEqual(
    [],
  );
});

test('a collector that answers nothing delays no answer and no run', async () => {
  setLimit('spanSendMilliseconds', limits.spanPauseMilliseconds);
  const service = await startTraced();
  collector.reply(() => {});
  const before = collector.connections();
  provider.script(() => ({ text: 'ok' }));
  for (let i = 0; i < 3; i++) await ask(service, '/v1/chat/completions', chat(i === 1));
  const events = await service.follow(await service.start({ question: secretWords }));
  expect(events.at(-1)?.type).toBe('done');
  expect(collector.connections() - before).toBeLessThanOrEqual(1);
  // The collector's connection breaks, and the service ends without waiting for it.
  await collector.goAway();
  await service.stop();
});
