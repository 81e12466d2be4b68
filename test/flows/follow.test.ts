import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalServer, serve } from '../support/local-server.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let site: LocalServer;
let fetched = 0;

beforeAll(async () => {
  site = await serve((_, response) => {
    fetched++;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end('<html><body><h1>Tides</h1><p>High water is at noon.</p></body></html>');
  });
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: site.host } }),
);
afterAll(() => site.close());
beforeEach(() => {
  fetched = 0;
});

const messagesOf = (index: number) => provider.requests.at(index)?.messages ?? [];

async function run(body: object) {
  const agentId = await service.start(body);
  return { agentId, events: await service.follow(agentId) };
}

test('a run goes on from what the run before asked, answered and read, and fetches nothing again', async () => {
  const read = { name: 'web_crawl', args: { url: `${site.url}/tides` } };
  provider.script(inTurn({ calls: [read] }, { text: 'High water is at noon [1].' }));
  const first = await run({ question: 'When is high water?' });
  const sent = messagesOf(1);
  provider.script(inTurn({ calls: [read] }, { text: 'At noon again [1].' }));
  const { agentId, events } = await run({ question: 'And tomorrow?', previousRunId: first.agentId });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'At noon again [1].' });
  expect(messagesOf(0)).toEqual([
    ...sent,
    { role: 'assistant', content: 'High water is at noon [1].' },
    { role: 'user', content: 'And tomorrow?' },
  ]);
  expect(fetched).toBe(1);
  const view = await service.read(agentId);
  expect(view).toMatchObject({
    previousRunId: first.agentId,
    thread: first.agentId,
    citations: [{ number: 1 }],
  });
});

test('the input that a run asks for is the answer of its own call', async () => {
  const ask = { message: 'Which harbour?', expected: [{ name: 'question', description: 'The harbour.' }] };
  provider.script(inTurn({ calls: [{ name: 'request_input', args: ask }] }));
  const first = await run({ question: 'When is high water?' });
  expect(first.events.at(-1)).toMatchObject({ type: 'input_required' });
  provider.script(inTurn({ text: 'At noon.' }));
  const { events } = await run({ question: 'Den Helder', previousRunId: first.agentId });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'At noon.' });
  expect(messagesOf(0).at(-1)).toMatchObject({ role: 'tool', content: 'Den Helder' });
  expect(messagesOf(0).at(-2)).toMatchObject({ role: 'assistant', tool_calls: [{ type: 'function' }] });
});

test('a function of the caller ends the run with its calls, and its results come in the next', async () => {
  const functions = [{ name: 'stock_of', description: 'The stock.', parameters: { type: 'object' } }];
  const value = { name: 'save_data', args: { name: 'seen', value: 'yes' } };
  provider.script(inTurn({ calls: [{ name: 'stock_of', args: { item: 'rope' } }, value] }));
  const first = await run({ question: 'Is there rope?', functions });
  expect(first.events.at(-1)).toMatchObject({
    type: 'input_required',
    expected: [{ name: 'functionResults' }],
    calls: [{ type: 'function', name: 'stock_of', arguments: '{"item":"rope"}' }],
  });
  const view = (await service.read(first.agentId)) as unknown as { asked: { calls: { id: string }[] } };
  const callId = view.asked.calls[0]!.id;
  provider.script(inTurn({ text: 'There are 3.' }));
  const functionResults = [{ callId, result: '3' }];
  const next = await run({ previousRunId: first.agentId, functions, functionResults });
  expect(next.events.at(-1)).toMatchObject({ type: 'done', finalText: 'There are 3.' });
  expect(messagesOf(0).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
  // In the order of the calls, as if the run had made both.
  expect(messagesOf(0).slice(-2)).toMatchObject([
    { tool_call_id: callId, content: '3' },
    { tool_call_id: 'call_1', content: expect.stringContaining('Saved') },
  ]);
});

test('a call that needs approval is made by the next run once it is approved, and by no other', async () => {
  const save = { name: 'save_data', args: { name: 'approved', value: 'yes' } };
  provider.script(inTurn({ calls: [save] }));
  const first = await run({ question: 'Remember it.', approve: 'writes' });
  expect(first.events.some(({ type }) => type === 'tool_call')).toBe(false);
  const { calls } = first.events.at(-1) as unknown as {
    calls: { id: string; digest: string }[];
  };
  const [{ id: callId, digest }] = calls as [{ id: string; digest: string }];
  provider.script(inTurn({ text: 'Done.' }));
  const answer = {
    previousRunId: first.agentId,
    approve: 'writes',
    approvals: [{ callId, approve: true, digest }],
  };
  const next = await run(answer);
  expect(next.events.map(({ type }) => type).slice(0, 3)).toEqual(['step_start', 'tool_call', 'tool_result']);
  expect(next.events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
  const again = await service.post('/v1/agents/runs', answer);
  expect(again.status).toBe(409);
});
