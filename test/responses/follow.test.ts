import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, confirm, type Flows, openingOf, type Turn, useFlows } from '../flows/support/use-flows.ts';

let flows: Flows;
useFlows((started) => {
  flows = started;
});

const model = 'agent:default';
const responses = () => {
  const { baseUrl, apiKey } = flows.service;
  return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).responses;
};

/** The model gives these answers in their order, then confirms the last. */
function answers(...turns: Turn[]): void {
  let number = 0;
  flows.provider.script(() => {
    const answer = turns[number++] ?? confirm;
    return Array.isArray(answer) ? { calls: answer } : answer;
  });
}

const stockOf: OpenAI.Responses.FunctionTool = {
  ...{ type: 'function', name: 'stock_of', description: 'The stock.', strict: true },
  parameters: { type: 'object', properties: { item: { type: 'string' } } },
};
const tools = [stockOf];
const asks = [call('stock_of', { item: 'rope' }), call('stock_of', { item: 'tar' })];

const refusal = async (body: object): Promise<unknown> => {
  const response = await flows.service.post('/v1/responses', { model, ...body });
  const { error } = (await response.json()) as { error: { param: unknown; code: unknown } };
  return [response.status, error.param, error.code];
};

const messages = () => flows.provider.requests[0]?.messages ?? [];

beforeEach(() => answers({ text: 'At noon.' }));

describe('previous_response_id', () => {
  test('takes what the run itself said out of the input that comes with it', async () => {
    const question = { role: 'user', content: 'When?' } as const;
    const first = await responses().create({ model, input: [question] });
    answers({ text: 'At one.' });
    const input = [question, ...first.output, { role: 'user', content: 'And tomorrow?' }];
    await responses().create({
      ...{ model, previous_response_id: first.id },
      input: input as OpenAI.Responses.ResponseInput,
    });
    expect(
      messages()
        .map(({ content }) => content)
        .slice(-2),
    ).toEqual(['At noon.', 'And tomorrow?']);
    expect(messages()).toHaveLength(4);
  });

  test('of a run goes on from it, and is shown with the output of the new run alone', async () => {
    const first = await responses().create({ model, input: 'When is high water?', background: true });
    await flows.service.follow(first.id);
    answers({ text: 'At one.' });
    const asked = { model, input: 'And tomorrow?', previous_response_id: first.id };
    const second = await responses().create(asked);
    expect(second).toMatchObject({ status: 'completed', previous_response_id: first.id });
    expect(second.output).toMatchObject([{ type: 'message', content: [{ text: 'At one.' }] }]);
    expect(messages().slice(-2)).toMatchObject([{ content: 'At noon.' }, { content: 'And tomorrow?' }]);
    expect(await responses().retrieve(second.id)).toEqual(second);
    expect((await responses().retrieve(first.id)).previous_response_id).toBe(null);
    const { data } = await responses().inputItems.list(second.id);
    expect(data).toMatchObject([{ content: [{ type: 'input_text', text: 'And tomorrow?' }] }]);
    expect(data).toHaveLength(1);
    expect(await flows.service.read(second.id)).toMatchObject({ previousRunId: first.id });
  });

  test('alone resumes a run that failed', async () => {
    answers({ status: 400, body: '{"error":{"message":"No such thing."}}' });
    const failed = await responses().create({ model, input: 'When?' });
    expect(failed.status).toBe('failed');
    answers({ text: 'At noon.' });
    const resumed = await responses().create({ model, previous_response_id: failed.id });
    expect(resumed).toMatchObject({ status: 'completed', output_text: 'At noon.' });
    expect(openingOf(flows.provider.requests[0])).toContain('When?');
    expect((await responses().inputItems.list(resumed.id)).data).toEqual([]);
  });

  test('is refused in words where no run is there to go on from', async () => {
    const chat = await responses().create({ model: 'writer', input: 'When?' });
    const { id } = await responses().create({ model, input: 'When?' });
    const none = '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47';
    const follow = (previous_response_id: string, more: object = { input: 'And?' }) =>
      refusal({ ...more, previous_response_id });
    expect(await follow(chat.id)).toEqual([400, 'previous_response_id', 'invalid_request']);
    expect(await follow(none)).toEqual([404, 'previous_response_id', 'previous_response_not_found']);
    expect(await follow(id, {})).toEqual([400, 'input', 'invalid_request']);
    const { key } = await flows.service.newAccount();
    const body = { model, input: 'And?', previous_response_id: id };
    expect((await flows.service.post('/v1/responses', body, { key })).status).toBe(404);
    const byChat = await refusal({ model: 'writer', input: 'And?', previous_response_id: id });
    expect(byChat).toEqual([400, 'previous_response_id', 'invalid_request']);
  });
});

describe('a function tool', () => {
  const expected = ['rope', 'tar'].map((item) => ({
    ...{ type: 'function_call', name: 'stock_of', arguments: `{"item":"${item}"}`, status: 'completed' },
    ...{ id: expect.stringMatching(/^fc_/), call_id: expect.stringMatching(/_[0-9a-f]{32}$/) },
  }));

  test('ends the response with its calls, which are the same streamed, whole and by id', async () => {
    answers({ text: 'I look.', calls: asks });
    const stream = responses().stream({ model, input: 'Is there rope?', tools });
    const types: string[] = [];
    for await (const { type } of stream) if (/function|completed/.test(type)) types.push(type);
    const final = await stream.finalResponse();
    const perCall = ['delta', 'done'].map((end) => `response.function_call_arguments.${end}`);
    expect(types).toEqual([...perCall, ...perCall, 'response.completed']);
    expect(final).toMatchObject({ status: 'completed', incomplete_details: null, output_text: '' });
    expect(final).not.toHaveProperty('required_input');
    expect(final.output).toMatchObject([{ type: 'reasoning', content: [{ text: 'I look.' }] }, ...expected]);
    expect(final.completed_at).toEqual(expect.any(Number));
    const plain = await responses().retrieve(final.id);
    expect(plain.output).toMatchObject(final.output.map(({ id }) => ({ id })));
    expect(plain.output).toMatchObject([{}, ...expected]);
    expect(flows.provider.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      ...['request_input', 'stock_of', 'confirm_answer'],
    ]);
  });

  test('gets its results in the response that follows, as texts and as parts', async () => {
    answers(asks);
    const first = await responses().create({ model, input: 'Is there rope?', tools });
    expect(first.output).toMatchObject(expected);
    const [rope, tar] = first.output.map((item) => (item.type === 'function_call' ? item.call_id : ''));
    answers({ text: 'There are 3.' });
    const parts = ['None', 'left.'].map((text) => ({ type: 'input_text' as const, text }));
    const input: OpenAI.Responses.ResponseInput = [
      // As instructions are, without a question.
      { role: 'developer', content: 'Be brief.' },
      { type: 'function_call_output', call_id: rope!, output: '3' },
      // As the run itself tells it.
      { type: 'function_call_output', call_id: tar!.replace(/_[0-9a-f]{32}$/, ''), output: parts },
    ];
    const asked = { model, tools, previous_response_id: first.id, instructions: 'Be brief.' };
    const second = await responses().create({ ...asked, input });
    expect(second).toMatchObject({ status: 'completed', output_text: 'There are 3.' });
    expect(second.output).toHaveLength(1);
    expect(messages().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(messages().slice(-2)).toMatchObject([{ content: '3' }, { content: 'None\n\nleft.' }]);
    const { data } = await responses().inputItems.list(second.id, { order: 'asc' });
    expect(data).toMatchObject([
      { type: 'function_call_output', call_id: rope, output: '3' },
      { type: 'function_call_output', call_id: tar, output: 'None\n\nleft.' },
    ]);
    expect(data).toHaveLength(2);
  });

  test('beside input that is missing leaves the response incomplete, with both', async () => {
    const wanted = [{ name: 'documentUrl', description: 'The report.' }];
    answers([asks[0]!, call('request_input', { message: 'Which report?', expected: wanted })]);
    const response = await responses().create({ model, input: 'Is there rope?', tools });
    expect(response).toMatchObject({
      ...{ status: 'incomplete', incomplete_details: { reason: 'awaiting_input' } },
      ...{ required_input: wanted, output: [{ type: 'message' }, expected[0]] },
    });
  });

  test('is answered in full, once, and only where it was called', async () => {
    answers(asks);
    const first = await responses().create({ model, input: 'Is there rope?', tools });
    const [rope] = first.output.map((item) => (item.type === 'function_call' ? item.call_id : ''));
    const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: '3' });
    const follow = (...input: object[]) => refusal({ tools, input, previous_response_id: first.id });
    const wrong = [400, 'input', 'invalid_request'];
    expect(await follow(output(rope!))).toEqual(wrong);
    expect(await follow(output(rope!), output(rope!))).toEqual(wrong);
    expect(await follow(output('call_none'))).toEqual(wrong);
    const image = { type: 'input_image', image_url: 'https://a.example/a.png' };
    expect(await follow({ ...output(rope!), output: [image] })).toEqual([
      ...[400, 'input[0].output[0].type', 'invalid_request'],
    ]);
    expect(
      await follow({ type: 'function_call', call_id: 'call_1', name: 'stock_of', arguments: '{}' }),
    ).toEqual([...[400, 'input[0].type', 'invalid_request']]);
    expect(flows.provider.requests).toHaveLength(1);
  });
});

test('a whole conversation with the items of responses goes on from the run of the last of them', async () => {
  const history: object[] = [{ role: 'user', content: 'Is there rope?' }];
  const ask = async () => {
    const body = { model, tools, input: history } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    const response = await responses().create(body);
    history.push(...response.output);
    return response;
  };
  const result = (each: object) => ({
    ...{ type: 'function_call_output', output: '3' },
    call_id: (each as { call_id: string }).call_id,
  });
  answers(asks);
  const first = await ask();
  history.push(...first.output.map(result));
  answers({ text: 'There are 3.' });
  const second = await ask();
  expect(second).toMatchObject({ previous_response_id: first.id, output_text: 'There are 3.' });
  history.push({ role: 'user', content: 'And tar?' });
  answers({ text: 'Tar too.' });
  expect(await ask()).toMatchObject({ previous_response_id: second.id, output_text: 'Tar too.' });
  expect(messages().map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user'],
  ]);
  expect(messages().at(-1)).toMatchObject({ content: 'And tar?' });
  const strange = { ...first.output[0], call_id: `call_${'0'.repeat(32)}`, id: undefined };
  expect(await refusal({ input: [strange, result(strange)] })).toEqual([404, 'input', 'item_not_found']);
});

test('a run that asks for approval of its own tool is shown with it, and goes on as a response', async () => {
  answers([call('save_data', { name: 'tide', value: 'noon' })]);
  const agentId = await flows.service.start({ question: 'Save it.', approve: 'writes' });
  await flows.service.follow(agentId);
  const asked = await responses().retrieve(agentId);
  const [request] = asked.output;
  expect(request).toMatchObject({ type: 'mcp_approval_request', server_label: '', name: 'save_data' });
  answers({ text: 'Saved.' });
  const saved = await responses().create({
    ...{ model, previous_response_id: agentId },
    input: [{ type: 'mcp_approval_response', approval_request_id: request!.id!, approve: true }],
  });
  expect(saved.output).toMatchObject([
    { type: 'custom_tool_call', name: 'save_data', status: 'completed' },
    { type: 'message', content: [{ text: 'Saved.' }] },
  ]);
});
