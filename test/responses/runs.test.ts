import { createOpenAI } from '@ai-sdk/openai';
import { makePdf } from '@errand/documents/testing';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, confirm, type Flows, openingOf, type Turn, useFlows } from '../flows/support/use-flows.ts';
import type { RunEvent } from '../support/service.ts';
import { png } from '../uploads/support.ts';

let flows: Flows;
useFlows((started) => {
  flows = started;
});

const model = 'agent:default';
const client = (key = flows.service.apiKey) =>
  new OpenAI({ baseURL: `${flows.service.baseUrl}/v1`, apiKey: key, maxRetries: 0 });
const responses = () => client().responses;

/** The model gives these answers in their order, then confirms the last. */
function answers(...turns: Turn[]): void {
  let number = 0;
  flows.provider.script((request) => {
    if (request.model === 'upstream-eyes') return { text: 'A grey pixel.' };
    const answer = turns[number++] ?? confirm;
    return Array.isArray(answer) ? { calls: answer } : answer;
  });
}

/** The model waits with its first answer until it is let go. */
function held(turn: Turn): { asked: Promise<void>; go(): void } {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  flows.provider.script(async (_, number) => {
    asked.resolve();
    if (number > 1) return confirm;
    await gone.promise;
    return Array.isArray(turn) ? { calls: turn } : turn;
  });
  return { asked: asked.promise, go: () => gone.resolve() };
}

const follow = (id: string): Promise<RunEvent[]> => flows.service.follow(id);

beforeEach(() => answers({ text: 'At noon.' }));

const refusal = async (body: object): Promise<unknown> => {
  const response = await flows.service.post('/v1/responses', { model, input: 'When?', ...body });
  const { error } = (await response.json()) as { error: { param: unknown; code: unknown } };
  return [response.status, error.param, error.code];
};

describe('model agent:default', () => {
  test('in the background is queued at once, and its id is that of a run whose answer it has', async () => {
    const { go } = held({ text: 'At noon.' });
    const created = await responses().create({
      ...{ model, input: 'When is high water?', background: true },
      metadata: { order: '1' },
    });
    // A worker may have begun before the answer is written.
    expect(['queued', 'in_progress']).toContain(created.status);
    expect(created).toMatchObject({ background: true, output: [], usage: null });
    go();
    await follow(created.id);
    const response = await responses().retrieve(created.id);
    const run = await flows.service.read(created.id);
    expect(run).toMatchObject({ status: 'succeeded', result: 'At noon.', metadata: { order: '1' } });
    expect(response).toMatchObject({
      ...{ status: 'completed', output_text: 'At noon.', model, metadata: { order: '1' } },
      usage: { ...{ input_tokens: 200, output_tokens: 20, total_tokens: 220 }, credits: '0.00024' },
    });
    expect(response).toHaveProperty('usage.credits', (run.usage as { credits: string }).credits);
  });

  test('without background answers when the run has ended', async () => {
    const response = await responses().create({ model, input: 'When?', instructions: 'Be brief.' });
    expect(response).toMatchObject({ status: 'completed', output_text: 'At noon.' });
    expect(openingOf(flows.provider.requests[0])).toContain('Be brief.\n\nWhen?');
    expect(await responses().retrieve(response.id)).toEqual(response);
  });

  test('echoes the marks of the caller, whenever it is read', async () => {
    const marks = { user: 'u1', safety_identifier: 's1', prompt_cache_key: 'p1' };
    const response = await responses().create({ model, input: 'When?', ...marks });
    expect(response).toMatchObject(marks);
    expect(await responses().retrieve(response.id)).toEqual(response);
    expect(await flows.service.read(response.id)).not.toHaveProperty('marks');
    const other = await responses().create({ model, input: 'When?' });
    expect(other).toMatchObject({ user: null, safety_identifier: null, prompt_cache_key: null });
  });

  test('streamed has the response that is read by its id', async () => {
    const stream = responses().stream({ model, input: 'When?' });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.slice(0, 3)).toEqual(['response.created', 'response.queued', 'response.in_progress']);
    expect(types.at(-1)).toBe('response.completed');
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ ...(await responses().retrieve(final.id)) });
  });

  test('shows searches with their sources, tools with their outputs, and what the answer cites', async () => {
    const { url, pages } = flows.world;
    flows.world.search = () => [{ title: 'Tides', url: `${url}/tides`, content: 'High water is at noon.' }];
    pages.set('/tides', { type: 'text/html', body: '<p>High water is at noon.</p>' });
    answers(
      { text: 'I search.', calls: [call('web_search', { query: 'tides' })] },
      [call('web_crawl', { url: `${url}/tides` })],
      { text: 'High water is at noon [1].' },
    );
    const response = await responses().create({ model, input: 'When?', tools: [{ type: 'web_search' }] });
    expect(flows.provider.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      ...['web_search', 'web_crawl', 'request_input', 'confirm_answer'],
    ]);
    const sources = [{ type: 'url', url: `${url}/tides`, title: 'Tides' }];
    expect(response.output).toMatchObject([
      { type: 'reasoning', content: [{ text: 'I search.' }] },
      { type: 'web_search_call', status: 'completed', action: { query: 'tides', sources } },
      { type: 'custom_tool_call', name: 'web_crawl', output: expect.stringContaining('at noon.') },
      { type: 'message', content: [{ annotations: [{ type: 'url_citation', url: `${url}/tides` }] }] },
    ]);
    const { result, citations } = await flows.service.read(response.id);
    expect(response.output_text).toBe(result);
    expect(citations).toMatchObject([{ type: 'url_citation', url: `${url}/tides` }]);
  });

  test('is read whole by the AI SDK, which refuses answers with items that it does not know', async () => {
    answers(
      { text: 'I save.', calls: [call('save_data', { name: 'tide', value: 'noon' })] },
      { text: 'Done.' },
    );
    const { apiKey, baseUrl } = flows.service;
    const openai = createOpenAI({ baseURL: `${baseUrl}/v1`, apiKey });
    expect(await generateText({ model: openai(model), prompt: 'Save it.' })).toMatchObject({ text: 'Done.' });
  });

  test('that lacks input is incomplete, with what is missing', async () => {
    const expected = [{ name: 'documentUrl', description: 'The report.' }];
    answers([call('request_input', { message: 'Which report?', expected })]);
    const response = await responses().create({ model, input: 'Read it.' });
    expect(response).toMatchObject({
      ...{ status: 'incomplete', incomplete_details: { reason: 'awaiting_input' } },
      ...{ output_text: 'Which report?', required_input: expected },
    });
    expect(await flows.service.read(response.id)).toMatchObject({ status: 'awaiting_input' });
  });

  test('that fails says why', async () => {
    answers({ status: 400, body: '{"error":{"message":"No such thing."}}' });
    const response = await responses().create({ model, input: 'When?' });
    const { error } = await flows.service.read(response.id);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'run_failed', message: error } });
  });

  test('is created once for an Idempotency-Key', async () => {
    const body = { model, input: 'Once', background: true };
    const post = (input = body.input) =>
      flows.service.post('/v1/responses', { ...body, input }, { headers: { 'Idempotency-Key': 'k-1' } });
    const [first, again] = [await post(), await post()];
    expect(first.headers.get('X-Credits-Remaining')).toMatch(/^\d/);
    const { id } = (await first.json()) as { id: string };
    expect(await again.json()).toMatchObject({ id });
    const other = await post('Twice');
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ error: { code: 'idempotency_conflict' } });
    await follow(id);
  });
});

describe('GET /v1/responses/{id}', () => {
  test('stream=true&starting_after=N goes on where a stream was cut, with nothing lost and nothing twice', async () => {
    const { asked, go } = held({ text: 'At noon.' });
    const { id } = await responses().create({ model, input: 'When?', background: true });
    await asked;
    const numbers: number[] = [];
    const cut = await responses().retrieve(id, { stream: true });
    for await (const { type, sequence_number } of cut) {
      numbers.push(sequence_number);
      if (type === 'response.in_progress') break;
    }
    go();
    const rest = await responses().retrieve(id, { stream: true, starting_after: numbers.at(-1)! });
    const types: string[] = [];
    for await (const { type, sequence_number } of rest) {
      numbers.push(sequence_number);
      types.push(type);
    }
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(types.at(-1)).toBe('response.completed');
    const all = await (await flows.service.request(`/v1/responses/${id}?stream=true`)).text();
    const last = `/v1/responses/${id}?stream=true&starting_after=${numbers.length - 2}`;
    const end = await (await flows.service.request(last)).text();
    expect(end).toMatch(/^event: response\.completed\n/);
    expect(all.endsWith(end)).toBe(true);
    expect((await flows.service.request(`/v1/responses/${id}?starting_after=x`)).status).toBe(400);
  });

  test('404 for a response of another key, and for a malformed id', async () => {
    const { id } = await responses().create({ model, input: 'When?' });
    const { key } = await flows.service.newAccount();
    for (const [route, method] of [
      ...[
        ['', 'GET'],
        ['', 'DELETE'],
        ['/cancel', 'POST'],
        ['/input_items', 'GET'],
      ],
    ]) {
      const path = `/v1/responses/${id}${route}`;
      expect((await flows.service.request(path, { key, method: method! })).status).toBe(404);
      const none = await flows.service.request(`/v1/responses/nope${route}`, { method: method! });
      expect(none.status).toBe(404);
    }
  });

  test('input_items has the question', async () => {
    const { id } = await responses().create({ model, input: 'When is it?' });
    const items = await responses().inputItems.list(id);
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'When is it?' }] },
    ]);
    const after = await responses().inputItems.list(id, { after: items.data[0]!.id! });
    expect(after.data).toEqual([]);
    for (const query of ['limit=0', 'order=up', 'after=msg_none']) {
      const refused = await flows.service.request(`/v1/responses/${id}/input_items?${query}`);
      const { error } = (await refused.json()) as { error: { param: string } };
      expect([refused.status, error.param]).toEqual([400, query.split('=')[0]]);
    }
  });
});

describe('POST /v1/responses/{id}/cancel and DELETE', () => {
  test('a cancelled response is cancelled, and can then be deleted with its run', async () => {
    const { asked, go } = held({ text: 'Late.' });
    const { id } = await responses().create({ model, input: 'When?', background: true });
    await asked;
    const unfinished = await flows.service.request(`/v1/responses/${id}`, { method: 'DELETE' });
    expect([unfinished.status, await unfinished.json()]).toMatchObject([
      409,
      { error: { code: 'run_not_finished' } },
    ]);
    const streamed = flows.service.request(`/v1/responses/${id}?stream=true`);
    expect(await responses().cancel(id)).toMatchObject({ id, status: 'cancelled' });
    go();
    expect(await (await streamed).text()).toMatch(/\nevent: response\.failed\n.*"status":"cancelled".*\n\n$/);
    expect(await flows.service.read(id)).toMatchObject({ status: 'failed', error: 'Cancelled' });
    const gone = await flows.service.request(`/v1/responses/${id}`, { method: 'DELETE' });
    expect([gone.status, await gone.json()]).toEqual([200, { id, object: 'response', deleted: true }]);
    expect((await flows.service.request(`/v1/agents/runs/${id}`)).status).toBe(404);
  });
});

describe('the file of a run', () => {
  const dataUrl = (type: string, bytes: Uint8Array) =>
    `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
  const ask = (part: object, more: object[] = []) =>
    responses().create({
      model,
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, part, ...more] }],
    } as OpenAI.Responses.ResponseCreateParamsNonStreaming);

  test('is the bytes of input_file, and is deleted with the run', async () => {
    const file_data = dataUrl('application/pdf', makePdf([['The lock is 40 m long.']]));
    const { id, status } = await ask({ type: 'input_file', filename: 'lock.pdf', file_data });
    expect(status).toBe('completed');
    expect(openingOf(flows.provider.requests[0])).toContain('The lock is 40 m long.');
    const items = await responses().inputItems.list(id);
    expect(items.data).toMatchObject([{ content: [{}, { type: 'input_file', filename: 'lock.pdf' }] }]);
  });

  test('is the image of input_image, by its bytes or its address', async () => {
    const byBytes = await ask({ type: 'input_image', image_url: dataUrl('image/png', png) });
    expect(byBytes.output[0]).toMatchObject({ type: 'custom_tool_call', name: 'vision' });
    flows.world.pages.set('/photo.png', { type: 'image/png', body: png });
    const byAddress = await ask({ type: 'input_image', image_url: `${flows.world.url}/photo.png` });
    expect(byAddress.output[0]).toMatchObject({ name: 'vision', output: 'A grey pixel.' });
  });

  test('is at file_url, for the model to read', async () => {
    await ask({ type: 'input_file', file_url: `${flows.world.url}/tides.pdf` });
    expect(openingOf(flows.provider.requests[0])).toContain(`${flows.world.url}/tides.pdf`);
  });

  test('is refused in words, and leaves no run', async () => {
    const part = {
      type: 'input_file',
      filename: 'a.pdf',
      file_data: dataUrl('text/plain', Buffer.from('x')),
    };
    const file = (more: object) =>
      refusal({
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'What?' },
              { ...part, ...more },
            ],
          },
        ],
      });
    const at = 'input[0].content[1]';
    expect(await file({})).toEqual([502, null, 'upload_unreadable']);
    expect(await file({ filename: 'a.exe' })).toEqual([415, null, 'extension_not_accepted']);
    expect(await file({ filename: undefined })).toEqual([400, `${at}.filename`, 'invalid_request']);
    expect(await file({ file_data: 'no base64!' })).toEqual([400, `${at}.file_data`, 'invalid_request']);
    expect(await file({ file_id: 'file-1' })).toEqual([400, 'input', 'invalid_request']);
    const two = [{ role: 'user', content: [{ type: 'input_text', text: 'What?' }, part, part] }];
    expect(await refusal({ input: two })).toEqual([400, 'input', 'invalid_request']);
    expect(flows.provider.requests).toEqual([]);
  });
});

describe('400 names the field', () => {
  test.each<[string, object]>([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['store', { store: false }],
    ['max_output_tokens', { max_output_tokens: 100 }],
    ['temperature', { temperature: 0 }],
    ['tool_choice', { tool_choice: 'required' }],
    ['text.format', { text: { format: { type: 'json_object' } } }],
    ['reasoning.effort', { reasoning: { effort: 'low' } }],
    ['tools[0].type', { tools: [{ type: 'custom', name: 'f' }] }],
    ['tools[1].name', { tools: [{ type: 'web_search' }, { type: 'function', name: 'two words' }] }],
    ['tools[0].defer_loading', { tools: [{ type: 'function', name: 'f', defer_loading: true }] }],
    ['tools[0].filters', { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }],
    [
      'tools[0].user_location',
      { tools: [{ type: 'web_search', user_location: { type: 'approximate', country: 'NL' } }] },
    ],
    ['truncation', { truncation: 'auto' }],
    ['include', { include: ['message.output_text.logprobs'] }],
    ['input', { input: '' }],
    ['input[0].type', { input: [{ type: 'function_call_output', call_id: 'c', output: 'o' }] }],
    [
      'input[0].type',
      { input: [{ type: 'mcp_approval_response', approval_request_id: 'r', approve: true }] },
    ],
    ['input[0].role', { input: [{ role: 'tool', content: 'o' }] }],
    ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['conversation', { conversation: 'c' }],
  ])('%s', async (field, body) => {
    expect(await refusal(body)).toEqual([400, field, 'invalid_request']);
  });

  test.each<[string, object]>([
    ['previous_response_id', { previous_response_id: '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47' }],
    [
      'input[0].type',
      { input: [{ type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'odd', name: 'say' }] },
    ],
    ['input[0].type', { input: [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} }] }],
  ])('%s, for a chat model that is handed a run, and says that it is one', async (field, body) => {
    const response = await flows.service.post('/v1/responses', { model: 'writer', input: 'When?', ...body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { param: field, message: expect.stringMatching(/is (a|of a) run/) } },
    ]);
  });

  test('only after the check of credits', async () => {
    const { key } = await flows.service.newAccount('0');
    const response = await flows.service.post('/v1/responses', { model, store: false }, { key });
    expect(response.status).toBe(402);
  });

  test('model, for an agent that does not exist', async () => {
    expect(await refusal({ model: 'agent:other' })).toEqual([400, 'model', 'model_not_found']);
  });

  test('background, for a chat model', async () => {
    expect(await refusal({ model: 'writer', background: true })).toEqual([
      400,
      'background',
      'invalid_request',
    ]);
  });
});

test("a run's question has each speaker's name where the input has an assistant's messages", async () => {
  await responses().create({
    model,
    input: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'When?' },
      { role: 'assistant', content: 'At noon.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Sure?' }] },
    ],
  });
  expect(openingOf(flows.provider.requests[0])).toContain(
    'Be brief.\n\nuser: When?\n\nassistant: At noon.\n\nuser: Sure?',
  );
});
