import { createKey } from '@errand/accounts';
import { limits, type StartTimer, scanPages } from '@errand/platform';
import { responsesRoutes } from '@errand/responses';
import fc from 'fast-check';
import OpenAI, { type NotFoundError } from 'openai';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, chunk, event, hello, plainAnswer, streams } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import { newTestAccount } from '../support/accounts.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

type InputItem = OpenAI.Responses.ResponseInputItem;

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const client = (apiKey = service.key) =>
  new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 });

const answers = (message: object): typeof answersPlainly => {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
  return (wire) => wire.json(200, { ...plainAnswer, choices });
};

const says = (content: string) => answers({ content });

const callsOf = (names: string[]) =>
  names.map((name, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: '{"a":1}' },
  }));

const create = (more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}) =>
  client().responses.create({ model: 'writer', input: 'Say hello', ...more });

const messagesAsked = () => upstream.requests.at(-1)?.body.messages;

async function stored(): Promise<object[]> {
  const items: object[] = [];
  const scan = { TableName: service.dynamo.tables.responses };
  for await (const page of scanPages(service.dynamo, scan)) items.push(...page);
  return items;
}

async function refusal(work: Promise<unknown>) {
  const { status, error, headers: _ } = (await work.catch((thrown: unknown) => thrown)) as NotFoundError;
  return { status, error };
}

afterEach(() => service.dynamo.dynamodb.middlewareStack.remove('failsResponses'));

/** Makes every write of this table fail. */
function breakStore(): void {
  service.dynamo.dynamodb.middlewareStack.add(
    (next) => async (args) => {
      if ((args.input as { TableName?: string }).TableName === service.dynamo.tables.responses)
        throw Object.assign(new Error('down'), { name: 'InternalServerError', $fault: 'server' });
      return next(args);
    },
    { step: 'initialize', name: 'failsResponses', override: true },
  );
}

test('a response is read again as it was sent, in one piece and streamed', async () => {
  upstream.script(answersPlainly, hello);
  const whole = await create({ metadata: { a: 'b' } });
  const stream = client().responses.stream({ model: 'writer', input: 'Say hello' });
  for await (const _ of stream);
  const streamed = await stream.finalResponse();
  const { output_text, ...told } = whole;
  expect(told).toHaveProperty('store', true);
  expect(await client().responses.retrieve(whole.id)).toMatchObject(told);
  expect(await client().responses.retrieve(streamed.id)).toMatchObject({ output_text, id: streamed.id });
});

test('the input of a response is listed in pages, from either end', async () => {
  upstream.script(answersPlainly);
  const input: InputItem[] = [
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: [{ type: 'input_text', text: 'Three' }], type: 'message' },
  ];
  const { id } = await create({ input });
  const texts: string[] = [];
  const ids = new Set<string | undefined>();
  for await (const item of client().responses.inputItems.list(id, { limit: 2 })) {
    texts.push((item as { content: { text: string }[] }).content[0]?.text ?? '');
    ids.add(item.id);
  }
  expect(texts).toEqual(['Three', 'Two', 'One']);
  expect(ids.size).toBe(3);
  const first = await client().responses.inputItems.list(id, { limit: 1, order: 'asc' });
  expect(first).toMatchObject({ has_more: true, data: [{ content: [{ text: 'One' }] }] });
  const list = client().responses.inputItems.list(id, { after: 'msg_none' });
  expect(await refusal(list)).toMatchObject({ status: 400, error: { param: 'after' } });
});

test('two items that came with the same id are listed with ids of their own', async () => {
  upstream.script(answersPlainly);
  const twin = { role: 'user', content: 'Twin', type: 'message', id: 'msg_twin' } as InputItem;
  const { id } = await create({ input: [twin, twin] });
  const ids: (string | undefined)[] = [];
  for await (const item of client().responses.inputItems.list(id, { limit: 1 })) ids.push(item.id);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toHaveLength(2);
});

test("an input item is referred to by its listed id, or by the caller's own id where that is unambiguous", async () => {
  upstream.script(says('First'), says('Second'), says('Third'), says('Fourth'));
  const message = (content: string, id: string) =>
    ({ type: 'message', role: 'user', content, id }) as InputItem;
  const reference = (id: string): InputItem => ({ type: 'item_reference', id });
  const first = await create({ input: [message('One', 'mine'), message('Two', '')] });
  const { data } = await client().responses.inputItems.list(first.id, { order: 'asc' });
  const [one, two] = data.map(({ id }) => id ?? '');
  expect(one).toBe(`mine_${first.id.slice(5)}`);
  expect(two).toBe(`msg_in_0_${first.id.slice(5)}`);
  await create({ input: [reference(two!), reference(one!)] });
  expect(messagesAsked()).toMatchObject([{ content: 'Two' }, { content: 'One' }]);
  await create({ input: [message('Three', 'also mine'), reference('also mine')] });
  expect(messagesAsked()).toMatchObject([{ content: 'Three' }, { content: 'Three' }]);
  await create({ input: [reference('mine')], previous_response_id: first.id });
  expect(messagesAsked()).toHaveLength(4);
  const unknown = await refusal(create({ input: [reference('mine')] }));
  expect(unknown).toMatchObject({ status: 404, error: { param: 'input[0].id', code: 'item_not_found' } });
});

test('ids that callers give to items never collide with those of the service', async () => {
  upstream.script(answersPlainly);
  const input = ['msg_in_1', undefined, 'msg_in_0', 'msg_in_0', undefined].map(
    (id) => ({ type: 'message', role: 'user', content: 'Hi', id }) as InputItem,
  );
  const { id } = await create({ input });
  const { data } = await client().responses.inputItems.list(id);
  expect(new Set(data.map((item) => item.id)).size).toBe(input.length);
});

test('a deleted response is gone, but what follows it still knows what it said', async () => {
  upstream.script(says('First'), says('Second'), says('Third'));
  const first = await create({ input: 'One' });
  const second = await create({ input: 'Two', previous_response_id: first.id });
  const deleted = await fetch(`${service.baseUrl}/v1/responses/${first.id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${service.key}` },
  });
  expect(await deleted.json()).toEqual({ id: first.id, object: 'response', deleted: true });
  expect(await refusal(client().responses.retrieve(first.id))).toMatchObject({ status: 404 });
  expect(await refusal(client().responses.delete(first.id))).toMatchObject({ status: 404 });
  await create({ input: 'Three', previous_response_id: second.id });
  expect(messagesAsked()).toMatchObject([
    { content: 'One' },
    { content: 'First' },
    { content: 'Two' },
    { content: 'Second' },
    { content: 'Three' },
  ]);
});

test('each response follows the one before, without its instructions', async () => {
  upstream.script(says('First'), says('Second'), says('Third'));
  const first = await create({ input: 'One', instructions: 'Be kind.' });
  const second = await create({ input: 'Two', previous_response_id: first.id });
  const third = await create({
    input: 'Three',
    previous_response_id: second.id,
    instructions: 'Be brief.',
  });
  expect(messagesAsked()).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'First' },
    { role: 'user', content: 'Two' },
    { role: 'assistant', content: 'Second' },
    { role: 'user', content: 'Three' },
  ]);
  expect(third.previous_response_id).toBe(second.id);
  const { data } = await client().responses.inputItems.list(third.id);
  expect(data).toMatchObject([{ content: [{ text: 'Three' }] }]);
});

test("a fault in the input is reported by its place in this request's input, whatever came before", async () => {
  upstream.script(answersPlainly);
  const { id } = await create();
  const input = [
    { role: 'user', content: 'One' },
    { type: 'web_search_call', id: 'a' },
  ] as InputItem[];
  const refused = await refusal(create({ input, previous_response_id: id }));
  expect(refused).toMatchObject({ status: 400, error: { param: 'input[1].type' } });
});

test('a chain of turns sends the model the same messages as one request with all items', async () => {
  const text = fc.string({ minLength: 1, maxLength: 8 });
  const message = fc.record({ role: fc.constantFrom('user', 'system', 'developer'), content: text });
  const input = fc.oneof(text, fc.array(message, { minLength: 1, maxLength: 3 }));
  const spoken = fc.record({ content: text, reasoning_content: fc.option(text, { nil: undefined }) });
  const name = fc.constantFrom('add', 'look');
  const call = fc.record({ tool_calls: fc.array(name, { minLength: 1, maxLength: 2 }).map(callsOf) });
  const turns = fc.array(fc.record({ input, answer: fc.oneof(spoken, call) }), {
    minLength: 2,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(turns, async (chain) => {
      upstream.script(...chain.map(({ answer }) => answers(answer)));
      const all: InputItem[] = [];
      let previous_response_id: string | null = null;
      let outputs: InputItem[] = [];
      for (const turn of chain) {
        const said = turn.input as string | InputItem[];
        const items = typeof said === 'string' ? [{ role: 'user' as const, content: said }] : said;
        const own = outputs.length === 0 ? said : [...outputs, ...items];
        all.push(...outputs, ...items);
        const response: OpenAI.Responses.Response = await create({ input: own, previous_response_id });
        if (turn !== chain.at(-1)) all.push(...(response.output as InputItem[]));
        previous_response_id = response.id;
        outputs = response.output.flatMap((item) =>
          item.type === 'function_call'
            ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'Done' }]
            : [],
        );
      }
      const chained = messagesAsked();
      upstream.script(answersPlainly);
      await create({ input: all, store: false });
      expect(chained).toEqual(messagesAsked());
    }),
    { numRuns: 25 },
  );
});

test('a response that is not to be kept leaves nothing behind', async () => {
  upstream.script(answersPlainly, hello);
  const [before, files] = [await stored(), await service.bucket.keys()];
  const input = 'A long story. '.repeat(10_000);
  const { id, ...told } = await create({ input, store: false });
  for await (const _ of client().responses.stream({ model: 'writer', input, store: false }));
  expect(told).toHaveProperty('store', false);
  expect(await stored()).toEqual(before);
  expect(await service.bucket.keys()).toEqual(files);
  expect(await refusal(client().responses.retrieve(id))).toMatchObject({ status: 404 });
});

test('a response of another key cannot be told from a missing one', async () => {
  upstream.script(answersPlainly);
  const { id, output } = await create();
  const missing = 'resp_00000000000000000000000000000000';
  const { key: sameAccount } = await createKey(service.deps.accounts, {
    accountId: service.accountId,
    label: 'second',
  });
  const { key: stranger } = await newTestAccount(service.deps.accounts);
  for (const key of [sameAccount, stranger]) {
    const { responses } = client(key);
    const asking = (gone: string, item: string) => [
      responses.retrieve(gone),
      responses.delete(gone),
      responses.cancel(gone),
      responses.inputItems.list(gone),
      responses.create({ model: 'writer', input: 'Go on', previous_response_id: gone }),
      responses.create({ model: 'writer', input: [{ type: 'item_reference', id: item }] }),
    ];
    const item = output[0]?.id ?? '';
    const withheld = await Promise.all(asking(id, item).map(refusal));
    const unknown = await Promise.all(asking(missing, `msg_0_${missing.slice(5)}`).map(refusal));
    const sameId = (answers: object) =>
      JSON.parse(JSON.stringify(answers).replaceAll(id.slice(5), missing.slice(5)));
    expect(sameId(withheld)).toEqual(unknown);
    expect(withheld.map(({ status }) => status)).toEqual(withheld.map(() => 404));
  }
  expect((await client().responses.retrieve(id)).id).toBe(id);
});

test.each(['resp_', 'resp_x', 'none', `resp_${'0'.repeat(2_000)}`])(
  'an id that no response can have is a 404',
  async (id) => {
    const type = 'invalid_request_error';
    expect(await refusal(client().responses.retrieve(id))).toEqual({
      status: 404,
      error: { message: 'There is no such response.', type, param: null, code: null },
    });
    expect(await refusal(create({ previous_response_id: id }))).toEqual({
      status: 404,
      error: {
        message: 'There is no such previous response.',
        type,
        param: 'previous_response_id',
        code: 'previous_response_not_found',
      },
    });
  },
);

test('a response can be read for a day', async () => {
  upstream.script(answersPlainly);
  const { id } = await create();
  service.clock.advance((limits.responseKeptSeconds - 1) * 1000);
  expect((await client().responses.retrieve(id)).id).toBe(id);
  service.clock.advance(1000);
  expect(await refusal(client().responses.retrieve(id))).toMatchObject({ status: 404 });
  expect(await refusal(client().responses.delete(id))).toMatchObject({ status: 404 });
  expect(await refusal(create({ previous_response_id: id }))).toMatchObject({ status: 404 });
});

test('a long response lies in the bucket, is followed, and is deleted from there', async () => {
  upstream.script(answersPlainly);
  const files = await service.bucket.keys();
  const input = 'A long story. '.repeat(10_000);
  const { id } = await create({ input });
  const key = `responses/${id.slice(5)}`;
  expect(await service.bucket.keys()).toEqual([...files, key].sort());
  await create({ input: 'Go on', previous_response_id: id, store: false });
  expect(messagesAsked()).toMatchObject([{ content: input }, { content: 'Hello' }, { content: 'Go on' }]);
  await client().responses.delete(id);
  expect(await service.bucket.keys()).toEqual(files);
});

test('a response whose object is gone from the bucket is a 404', async () => {
  upstream.script(answersPlainly);
  const { id } = await create({ input: 'A long story. '.repeat(10_000) });
  await service.bucket.files.delete(`responses/${id.slice(5)}`);
  expect(await refusal(client().responses.retrieve(id))).toMatchObject({ status: 404 });
});

test('an answer that could not be stored is whole, charged, and says that it is not kept', async () => {
  upstream.script(answersPlainly, hello);
  const { key, accountId } = await newTestAccount(service.deps.accounts);
  const request = { model: 'writer', input: 'Say hello' };
  breakStore();
  const whole = await client(key).responses.create(request);
  const stream = client(key).responses.stream(request);
  for await (const _ of stream);
  for (const response of [whole, await stream.finalResponse()])
    expect(response).toMatchObject({ output_text: 'Hello', status: 'completed', store: false });
  const charges = (await service.ledger({ accountId })).filter(({ kind }) => kind === 'completion');
  expect(charges).toHaveLength(2);
  expect(service.log).toContainEqual(expect.objectContaining({ message: 'response not kept' }));
  expect(JSON.stringify(service.log)).not.toContain('Say hello');
});

/** No time passes: a long response is kept however busy the machine is. */
const endless: StartTimer = () => () => {};

/** Every wait is over at once. */
const noTime: StartTimer = (_milliseconds, end) => {
  const timer = setImmediate(end);
  return () => clearImmediate(timer);
};

/** A long response of the routes with a bucket of their own. */
async function askWith(files: ChatService['deps']['files']): Promise<OpenAI.Responses.Response> {
  const clock = Object.assign(() => service.clock(), { startTimer: noTime });
  const routes = responsesRoutes({ ...service.deps, files, clock });
  const answer = await routes.request('/v1/responses', {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ model: 'writer', input: 'A long story. '.repeat(10_000) }),
  });
  return (await answer.json()) as OpenAI.Responses.Response;
}

test('a response is deleted if its write succeeds after its caller was told that it is not kept', async () => {
  upstream.script(answersPlainly);
  const [before, objects] = [await stored(), await service.bucket.keys()];
  const { files } = service.deps;
  const [isTold, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { id, ...told } = await askWith({
    ...files,
    put: (...object) => isTold.promise.then(() => files.put(...object)),
    delete: (...object) => files.delete(...object).finally(deleted.resolve),
  });
  expect(told).toMatchObject({ status: 'completed', store: false });
  isTold.resolve();
  await deleted.promise;
  await vi.waitFor(async () => expect(await stored()).toEqual(before), 60_000);
  expect(await service.bucket.keys()).toEqual(objects);
  expect(await refusal(client().responses.retrieve(id))).toMatchObject({ status: 404 });
});

test.each([
  ['fails', () => Promise.reject(new Error('down'))],
  ['does not answer', () => new Promise<void>(() => {})],
])('a long response is answered but not kept by a bucket that %s', async (_, put) => {
  upstream.script(answersPlainly);
  const { id, ...told } = await askWith({ ...service.deps.files, put });
  expect(told).toMatchObject({ status: 'completed', store: false });
  expect(await refusal(client().responses.retrieve(id))).toMatchObject({ status: 404 });
});

test('an answer that was cut or broke off is kept as it was sent', async () => {
  const cut = { ...plainAnswer.choices[0], finish_reason: 'length' };
  upstream.script(
    (wire) => wire.json(200, { ...plainAnswer, choices: [cut] }),
    streams(event(chunk({ role: 'assistant', content: 'Hel' }))),
  );
  const { id } = await create();
  expect(await client().responses.retrieve(id)).toMatchObject({ status: 'incomplete' });
  const stream = await client().responses.create({ model: 'writer', input: 'Go on', stream: true });
  let last: OpenAI.Responses.ResponseStreamEvent | undefined;
  for await (const each of stream) last = each;
  if (last?.type !== 'response.failed') throw new Error('did not fail');
  expect(await client().responses.retrieve(last.response.id)).toMatchObject({
    status: 'failed',
    output: [{ content: [{ text: 'Hel' }] }],
  });
});

test('items are referred to by id: of an answer, of an input, and of what the newest response followed', async () => {
  upstream.script(says('First'), says('Second'), says('Third'));
  const refer = (id: string | undefined) => ({ type: 'item_reference' as const, id: id ?? '' });
  const first = await create({ input: 'One' });
  const asked = (await client().responses.inputItems.list(first.id)).data[0];
  const answered = first.output[0];
  const second = await create({
    input: [refer(asked?.id), refer(answered?.id), { role: 'user', content: 'Two' }],
  });
  expect(messagesAsked()).toMatchObject([{ content: 'One' }, { content: 'First' }, { content: 'Two' }]);
  await client().responses.delete(first.id);
  await create({
    input: [refer(answered?.id), refer(second.output[0]?.id), { role: 'user', content: 'Three' }],
  });
  expect(messagesAsked()).toMatchObject([{ content: 'First' }, { content: 'Second' }, { content: 'Three' }]);
  const refused = await refusal(create({ input: [{ role: 'user', content: 'One' }, refer('msg_none')] }));
  expect(refused).toMatchObject({ status: 404, error: { param: 'input[1].id', code: 'item_not_found' } });
});

test('a short request can neither multiply one item into a long input nor read many responses', async () => {
  upstream.script(answersPlainly);
  const { id } = await create({ input: 'A long story. '.repeat(10_000) });
  const [item] = (await client().responses.inputItems.list(id)).data;
  const reference = { type: 'item_reference' as const, id: item?.id ?? '' };
  const many = Array.from({ length: 100 }, () => reference);
  expect(await refusal(create({ input: many }))).toMatchObject({ status: 400, error: { param: 'input' } });
  const chained = await refusal(create({ input: many, previous_response_id: id }));
  expect(chained).toMatchObject({ status: 400, error: { param: 'previous_response_id' } });
  const each: InputItem[] = [];
  for (let count = 0; count <= limits.responsesPerInput; count++)
    each.push({ type: 'item_reference', id: (await create()).output[0]?.id ?? '' });
  expect(await refusal(create({ input: each }))).toMatchObject({ status: 400, error: { param: 'input' } });
  await create({ input: each.slice(1) });
  expect(messagesAsked()).toHaveLength(limits.responsesPerInput);
});

test('keeping a response costs one request to the store, and following a response costs one more', async () => {
  upstream.script(answersPlainly);
  const asked = async (more: object) => {
    await service.ledger();
    const before = service.dynamo.requests();
    const { id } = await create(more);
    const requests = service.dynamo.requests() - before;
    return { id, requests };
  };
  const { requests: alone } = await asked({ store: false });
  const { id, requests: kept } = await asked({});
  expect(kept).toBe(alone + 1);
  expect((await asked({ previous_response_id: id })).requests).toBe(alone + 2);
});

test('a kept response can be neither cancelled nor streamed again', async () => {
  upstream.script(answersPlainly);
  const { id } = await create();
  expect(await refusal(client().responses.cancel(id))).toMatchObject({ status: 400 });
  const again = client().responses.retrieve(id, { stream: true });
  expect(await refusal(again)).toMatchObject({ status: 400, error: { param: 'stream' } });
  for (const [query, param] of [
    ['stream=1', 'stream'],
    ['starting_after=x', 'starting_after'],
  ]) {
    const answer = await service.get(`/v1/responses/${id}?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param } }]);
  }
  expect((await service.get(`/v1/responses/${id}?stream=false`)).status).toBe(200);
});

test('a short request cannot have responses of many items or bytes read', async () => {
  upstream.script(answersPlainly);
  service.clock.startTimer = endless;
  onTestFinished(() => {
    service.clock.startTimer = undefined;
  });
  const kept = async (input: InputItem[]) => {
    const { id, output } = await create({ input });
    return { id, item: output[0]?.id ?? '' };
  };
  const read = () => service.dynamo.requests();
  const message: InputItem = { role: 'user', content: 'a' };
  const half = Array.from({ length: limits.referredItems / 2 }, () => message);
  const many = [await kept(half), await kept(half), await kept([message])];
  const ofMany = many.map(({ item }): InputItem => ({ type: 'item_reference', id: item }));
  const before = read();
  expect(await refusal(create({ input: ofMany }))).toMatchObject({
    status: 400,
    error: { param: 'input', message: expect.stringContaining(`more than ${limits.referredItems} items`) },
  });
  // The newest is read first, and nothing after the bound.
  expect(read() - before).toBeLessThan(8);
  expect(
    await refusal(create({ input: ofMany.slice(0, 1), previous_response_id: many[1]?.id })),
  ).toMatchObject({
    error: { param: 'input' },
  });
  await create({ input: ofMany.slice(1) });

  const long: InputItem[] = [{ role: 'user', content: 'x'.repeat(5_900_000) }];
  const heavy = [await kept(long), await kept(long), await kept(long)];
  const ofHeavy = heavy.map(({ item }): InputItem => ({ type: 'item_reference', id: item }));
  expect(await refusal(create({ input: ofHeavy }))).toMatchObject({
    status: 400,
    error: { param: 'input', message: expect.stringContaining(`more than ${limits.referredBytes} bytes`) },
  });
  await create({ input: ofHeavy.slice(1) });
});
