import { agentTools, nameableTools } from '@errand/agent';
import { expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

useService((started) => ({ provider, service } = started));

const offered = () =>
  provider.requests.map(({ tools = [] }) => tools.map(({ function: { name } }) => name).toSorted());

async function resultsOf(body: object): Promise<unknown[]> {
  const calls = [
    { name: 'save_data', args: { name: 'a', value: 'b' } },
    { name: 'read_data', args: {} },
    { name: 'write_todos', args: { todos: [] } },
  ];
  provider.script(inTurn({ calls }, { text: 'Done.' }));
  const events = await service.follow(await service.start({ question: 'Use tools', ...body }));
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  return events.filter(({ type }) => type === 'tool_result').map(({ result }) => result);
}

test('a run can name every tool but request_input', () => {
  const names = agentTools({ web: {} } as never).map(({ name }) => name);
  expect([...nameableTools, 'request_input'].toSorted()).toEqual(names.toSorted());
});

test('a run that names its tools is offered no others, and a call of another is a mistake that the model reads', async () => {
  const results = await resultsOf({ tools: ['write_todos', 'web_search', 'write_todos'] });
  expect(results).toEqual([
    expect.stringMatching(
      /^Error: There is no tool named "save_data"\. Tools: web_search, write_todos, request_input\./,
    ),
    expect.stringMatching(/^Error: There is no tool named "read_data"/),
    'The plan is empty.',
  ]);
  for (const tools of offered())
    expect(tools).toEqual(['confirm_answer', 'request_input', 'web_search', 'write_todos']);
});

test('a run with an empty list of tools is offered request_input and the end of its check alone, and a run without the field every tool that has a model', async () => {
  const results = await resultsOf({ tools: [] });
  expect(results).toHaveLength(3);
  for (const result of results)
    expect(result).toMatch(/^Error: There is no tool named .* Tools: request_input\.$/);
  expect(offered()[0]).toEqual(['confirm_answer', 'request_input']);
  await resultsOf({});
  const unheard = nameableTools.filter((name) => name !== 'audio_transcribe');
  expect(offered()[0]).toEqual([...unheard, 'confirm_answer', 'request_input'].toSorted());
});

test('a form names tools as JSON, and its forced step reads the file in any case', async () => {
  provider.script(({ model }) =>
    model === 'upstream-eyes' ? { text: 'A grey square.' } : { text: 'A square.' },
  );
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
  const body = new FormData();
  body.set('question', 'What is this?');
  body.set('tools', '["write_todos"]');
  body.set('file', new File([Buffer.from(pixel, 'base64')], 'a.png'));
  const response = await service.request('/v1/agents/runs', { method: 'POST', body });
  expect(response.status).toBe(202);
  const { agentId } = (await response.json()) as { agentId: string };
  const events = await service.follow(agentId);
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    toolName: 'vision',
    result: 'A grey square.',
  });
  expect(offered().at(-1)).toEqual(['confirm_answer', 'request_input', 'write_todos']);
});

const oneOf = `must be one of ${nameableTools.join(', ')}`;

test.each([
  [['web_search', 'shell'], `tools[1]: ${oneOf}`],
  [['request_input'], `tools[0]: ${oneOf}`],
  [[1], `tools[0]: ${oneOf}`],
  ['web_search', 'tools: must be a list'],
  [{ 0: 'web_search' }, 'tools: must be a list'],
  [null, 'tools: must be a list'],
])('tools that are %j are refused with the reason', async (tools, words) => {
  const response = await service.post('/v1/agents/runs', { question: 'q', tools });
  expect([response.status, await response.text()]).toEqual([400, words]);
  const body = new FormData();
  body.set('question', 'q');
  body.set('tools', JSON.stringify(tools));
  body.set('file', new File(['text'], 'a.txt'));
  const form = await service.request('/v1/agents/runs', { method: 'POST', body });
  expect([form.status, await form.text()]).toEqual([400, words]);
});

test('a form whose tools are no JSON is refused with the reason', async () => {
  const body = new FormData();
  body.set('question', 'q');
  body.set('tools', 'web_search');
  body.set('file', new File(['text'], 'a.txt'));
  const response = await service.request('/v1/agents/runs', { method: 'POST', body });
  expect([response.status, await response.text()]).toEqual([400, 'tools: must be JSON']);
});

test('a retry with other tools is another request', async () => {
  provider.script(() => ({ text: 'Done.' }));
  const headers = { 'Idempotency-Key': 'tools' };
  const create = (tools: string[]) => service.post('/v1/agents/runs', { question: 'q', tools }, { headers });
  const [first, same, other] = [await create([]), await create([]), await create(['web_search'])];
  expect([first.status, same.status, other.status]).toEqual([202, 202, 409]);
  expect(await same.json()).toEqual(await first.json());
});
