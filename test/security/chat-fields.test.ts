import { parseCatalogue } from '@errand/models';
import { defaultRules, toolTypes } from '@errand/models/testing';
import { limits } from '@errand/platform';
import fc from 'fast-check';
import { parseTree } from 'jsonc-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChatService, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { sendUndescribed } from '../support/document/hold-answers.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

sendUndescribed();

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let service: ChatService;

/** So little that the account's credits pay for every `max_tokens` below: more than they pay for would be lowered. */
const price = { inputPerMillionTokens: 0.001, outputPerMillionTokens: 0.002 };

beforeAll(async () => {
  first = await startUpstream();
  second = await startUpstream();
  const upstream = { baseUrl: first.baseUrl, model: 'upstream-writer' };
  const fallback = { baseUrl: second.baseUrl, model: 'other-writer' };
  const catalogue = parseCatalogue(
    {
      models: [
        { id: 'writer', kind: 'chat', upstream, price },
        {
          id: 'small',
          kind: 'chat',
          upstream,
          price,
          maxChoices: 2,
          maxOutputTokens: 100,
          contextTokens: 50,
        },
        { id: 'wide', kind: 'chat', upstream, price, contextTokens: 32_768 },
        {
          id: 'routed',
          kind: 'chat',
          upstream: {
            ...upstream,
            fields: { Service_Tier: 'pass', provider: 'pass', reasoning: 'refuse', 'tools[].type': 'pass' },
          },
          fallbacks: [{ ...fallback, fields: { provider: 'drop', user: 'drop', 'tools[].type': 'pass' } }],
          price,
        },
        {
          id: 'half',
          kind: 'chat',
          upstream: { ...upstream, fields: { models: 'pass' } },
          fallbacks: [fallback],
          price,
        },
      ],
    },
    () => undefined,
  );
  service = await startChatService(catalogue, { rateLimitRequests: 1_000_000 });
});
beforeEach(() => {
  first.script(answersPlainly);
  second.script(answersPlainly);
});
afterAll(() => Promise.all([service, first, second].map((part) => part.close())));

const messages = [{ role: 'user', content: 'Say hello' }];
const post = (fields: object, model = 'writer') => service.post({ model, messages, ...fields });
const refusalOf = async (response: Response) => {
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: { param: string; code: string } }).error;
};

const namesOf = (rule: string) =>
  Object.keys(defaultRules).filter((name) => name !== toolTypes && defaultRules[name] === rule);
const dropped = namesOf('drop');
const refused = namesOf('refuse');

/** What clients of chat completions send every day. */
const daily = {
  temperature: 0.5,
  top_p: 1,
  seed: 7,
  stop: ['\n'],
  user: 'u',
  metadata: { a: 'b' },
  logit_bias: { 50256: -100 },
  logprobs: true,
  top_logprobs: 2,
  presence_penalty: 0,
  frequency_penalty: 0,
  response_format: { type: 'json_object' },
  modalities: ['text'],
  tools: [
    { type: 'function', function: { name: 'f', parameters: {} } },
    { type: 'custom', custom: { name: 'g' } },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  reasoning: { effort: 'low' },
  verbosity: 'low',
  prediction: { type: 'content', content: 'x' },
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  safety_identifier: 's',
  top_k: 40,
  min_p: 0.1,
  repetition_penalty: 1.1,
  guided_json: {},
  chat_template_kwargs: { enable_thinking: false },
  extra_body: { google: { thinking_config: { include_thoughts: true } } },
  n: 8,
  max_tokens: 32_000,
  max_completion_tokens: 32_000,
};

describe('fields that are billed, or change who answers', () => {
  test.each([false, true])('are left out or refused by name, with stream %s', async (stream) => {
    for (const name of dropped) {
      first.script(answersPlainly);
      await post({ [name]: 'priority', stream, user: 'u' });
      expect(first.requests.map(({ body }) => [name in body, body.user])).toEqual([[false, 'u']]);
    }
    for (const name of refused) {
      first.script(answersPlainly);
      expect(await refusalOf(await post({ [name]: ['x'], stream }))).toEqual({
        message: `${name}: is not accepted by this model`,
        type: 'invalid_request_error',
        param: name,
        code: 'invalid_request',
      });
      expect(first.requests).toEqual([]);
    }
  });

  test('are refused only where they ask for something', async () => {
    for (const value of [null, false]) {
      expect((await post({ models: value, use_beam_search: value })).status).toBe(200);
    }
  });

  test.each([
    ...['user_config', 'model_list', 'adapters', 'draft_model', 'lora_request', 'api_key', 'extra_headers'],
    ...['aws_bedrock_runtime_endpoint', 'dataSources', 'API_Key'],
  ])('%s, another host or other weights, is refused, in extra_body too', async (name) => {
    expect(await refusalOf(await post({ [name]: 'x' }))).toMatchObject({ param: name });
    const inside = await post({ extra_body: { [name]: 'x' } });
    expect(await refusalOf(inside)).toMatchObject({ param: `extra_body.${name}` });
    expect(first.requests).toEqual([]);
  });

  test('modalities are refused where they ask for more than text', async () => {
    for (const modalities of [['text', 'audio'], ['image'], [['text']], 'text', {}, true])
      expect(await refusalOf(await post({ modalities }))).toMatchObject({ param: 'modalities' });
    expect(first.requests).toEqual([]);
    expect((await post({ modalities: ['text'] })).status).toBe(200);
  });

  test('are distinguished from what clients send every day, which passes byte for byte', async () => {
    expect((await post(daily)).status).toBe(200);
    expect(first.requests[0]?.body).toEqual({ messages, ...daily, model: 'upstream-writer' });
  });

  test("follow the catalogue's rules of each upstream", async () => {
    const fields = { service_tier: 'flex', provider: { only: ['a'] }, user: 'u', store: true };
    first.script((wire) => wire.json(503, {}));
    const response = await post({ ...fields, tools: [{ type: 'browser_search' }] }, 'routed');
    expect(response.status).toBe(200);
    const { store: _, ...sent } = fields;
    const tools = [{ type: 'browser_search' }];
    expect(first.requests[0]?.body).toEqual({ messages, ...sent, tools, model: 'upstream-writer' });
    expect(second.requests[0]?.body).toEqual({ messages, tools, model: 'other-writer' });
    expect(await refusalOf(await post({ reasoning: {} }, 'routed'))).toMatchObject({ param: 'reasoning' });
  });

  test('are refused if one of the upstreams refuses them, whichever of them would answer', async () => {
    expect(await refusalOf(await post({ models: ['x'] }, 'half'))).toMatchObject({ param: 'models' });
    expect([first.requests, second.requests]).toEqual([[], []]);
  });

  test.each([
    [{ type: 'browser_search' }],
    [{ type: 'web_search', web_search: {} }],
    [{ type: 'builtin_function', function: { name: '$web_search' } }],
    [{ google_search: {} }],
    [{ type: null, function: {} }],
    ['browser_search'],
    [null],
  ])('the tool %j, which the provider runs, is refused', async (tool) => {
    const tools = [{ type: 'function', function: { name: 'f' } }, tool];
    expect(await refusalOf(await post({ tools }))).toMatchObject({ param: 'tools[1].type' });
    expect(first.requests).toEqual([]);
  });

  test.each(['Type', 'TYPE', 't\u0059pe'])(
    'a tool with its type in other letters is refused: %s',
    async (name) => {
      const tools = [{ type: 'function', [name]: 'web_search', function: { name: 'f' } }];
      expect(await refusalOf(await post({ tools }))).toMatchObject({ param: `tools[0].${name}` });
      expect(first.requests).toEqual([]);
    },
  );

  test.each([{ type: 'browser_search' }, 'browser_search', 1, true].map((tools) => [tools]))(
    'tools that are no list are refused: %j',
    async (tools) => {
      expect(await refusalOf(await post({ tools }))).toMatchObject({ param: 'tools' });
      expect(first.requests).toEqual([]);
    },
  );

  test('a tool that has its type twice is refused', async () => {
    const tools = '[{"type":"browser_search","t\\u0079pe":"function","function":{}}]';
    const response = await service.post(
      `{"model":"writer","messages":${JSON.stringify(messages)},"tools":${tools}}`,
    );
    expect(await refusalOf(response)).toMatchObject({ param: 'tools' });
  });
});

describe('choices and output tokens', () => {
  test.each([
    ['n', ['8', 9, 128, 1e9, -1, 0, 0.5, true, [1], {}]],
    ['max_tokens', ['8', 0.5, 0, -1, true, [1], {}]],
    ['max_completion_tokens', ['8', 0.5, 0, -1, true, [1], {}]],
  ])('%s is a whole number within its bound', async (name, wrong) => {
    for (const value of wrong)
      expect([value, await refusalOf(await post({ [name]: value }))]).toMatchObject([value, { param: name }]);
    for (const value of [null, 1, 8]) expect((await post({ [name]: value })).status).toBe(200);
  });

  test('have the bounds of their model: its own, or its context, or none', async () => {
    const fits = async (model: string, fields: object) => (await post(fields, model)).status === 200;
    expect([await fits('small', { n: 2 }), await fits('small', { n: 3 })]).toEqual([true, false]);
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      expect([await fits('small', { [name]: 100 }), await fits('small', { [name]: 101 })]).toEqual([
        true,
        false,
      ]);
      expect([await fits('wide', { [name]: 32_768 }), await fits('wide', { [name]: 32_769 })]).toEqual([
        true,
        false,
      ]);
      expect(await fits('writer', { [name]: 1_000_000 })).toBe(true);
    }
  });
});

test('a request with more parameters than the limit is refused', async () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i]));
  const room = limits.completionParameters - 2;
  expect((await post(fields(room))).status).toBe(200);
  expect(await refusalOf(await post(fields(room + 1)))).toMatchObject({
    param: null,
    message: 'The request must have at most 256 parameters.',
  });
});

describe('other spellings', () => {
  test('a field that a request has twice is sent once, with the value that was checked', async () => {
    const body = `{"service_tier":"flex","n":128,"model":"a","messages":${JSON.stringify(messages)},"n":2,"service\\u005ftier":"priority","user":"a","us\\u0065r":"b","model":"writer"}`;
    expect((await service.post(body)).status).toBe(200);
    expect(first.requests[0]?.text).toBe(
      `{"n":2,"messages":${JSON.stringify(messages)},"us\\u0065r":"b","model":"upstream-writer"}`,
    );
    const refusedBody = `{"model":"writer","messages":${JSON.stringify(messages)},"models":null,"model\\u0073":["x"]}`;
    expect(await refusalOf(await service.post(refusedBody))).toMatchObject({ param: 'models' });
  });

  test.each(['service_tier', 'store', 'models', 'n', 'max_tokens', 'model', 'messages', 'N', 'extra_body'])(
    '%s in extra_body is refused',
    async (name) => {
      const response = await post({ extra_body: { google: {}, [name]: 'x' } });
      expect(await refusalOf(response)).toMatchObject({ param: `extra_body.${name}` });
      expect(first.requests).toEqual([]);
    },
  );

  test('a field that the service reads is refused in other letter case, and a rule holds in any case', async () => {
    for (const name of ['N', 'Max_Tokens', 'MESSAGES', 'Tools', 'ſtream', 'ſkills', 'Extra_Body'])
      expect(await refusalOf(await post({ [name]: 1 }))).toMatchObject({ param: name });
    for (const name of ['Models', 'PROVIDER', 'web_ſearch_options'])
      expect(await refusalOf(await post({ [name]: [1] }))).toMatchObject({ param: name });
    first.script(answersPlainly);
    await post({ Service_Tier: 'flex', ſtore: true });
    expect(Object.keys(first.requests[0]?.body ?? {}).sort()).toEqual(['messages', 'model']);
  });

  test('no dropped or refused field reaches the provider in 500 bodies of fields, spellings and repetitions, and all other fields do', async () => {
    await fc.assert(fc.asyncProperty(entries, checkBody), { numRuns: 500 });
  });
});

const bounded = ['n', 'max_tokens', 'max_completion_tokens'];
const governed = [...dropped, ...refused, ...bounded];
const plain = ['temperature', 'user', 'x_field', 'reasoning', 'nn', 'model_s', 'é'];

const value = fc.constantFrom(
  ...['null', 'false', 'true', '1', '8', '9', '1e9', '-1', '0.5', '"8"', '"priority"', '{}', '["x"]'],
  ...['{"service_tier":"x"}', '1.0', '12345678901234567890', '{"a":[1.50, "}"]}'],
);
/** A name as a caller could write it: in any case of letters, with any of its letters escaped. */
const spelled = fc
  .tuple(
    fc.constantFrom(...governed, ...plain, 'extra_body'),
    fc.array(fc.constantFrom('', '', '', 'escape', 'case'), { minLength: 32, maxLength: 32 }),
  )
  .map(([name, changes]) => {
    const cased = [...name].map((letter, i) => (changes[i] === 'case' ? letter.toUpperCase() : letter));
    const json = cased.map((letter, i) =>
      changes[i] === 'escape' ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    );
    return { name: cased.join(''), json: `"${json.join('')}"` };
  });
const entries = fc.array(fc.record({ key: spelled, value, space: fc.constantFrom('', ' ', '\n\t') }), {
  maxLength: 5,
});

type Entries = typeof entries extends fc.Arbitrary<infer T> ? T : never;

const within = (json: string) => {
  const number: unknown = JSON.parse(json);
  return number === null || (Number.isSafeInteger(number) && Number(number) >= 1);
};

function isWrong(name: string, json: string): boolean {
  const lower = name.toLowerCase();
  if (lower !== name && [...bounded, 'extra_body'].includes(lower)) return true;
  if (refused.includes(lower)) return json !== 'null' && json !== 'false';
  if (lower === 'n') return !within(json) || Number(JSON.parse(json)) > 8;
  if (bounded.includes(lower)) return !within(json);
  return lower === 'extra_body' && json.includes('service_tier');
}

/** Reads the keys and the JSON of values by another parser than ours. */
function readEntries(text: string): [string, string][] {
  return (parseTree(text)?.children ?? []).map((property) => {
    const [key, inner] = property.children ?? [];
    return [String(key?.value), text.slice(inner?.offset, (inner?.offset ?? 0) + (inner?.length ?? 0))];
  });
}

async function checkBody(list: Entries): Promise<void> {
  const own = `"model":"writer","messages":${JSON.stringify(messages)}`;
  const written = list.map(({ key, value: json, space }) => `${key.json}${space}:${space}${json}`);
  first.script(answersPlainly);
  const response = await service.post(`{${[...written, own].join(' ,')}}`);
  const last = new Map(list.map(({ key, value: json }) => [key.name, json]));
  const wrong = [...last].filter(([name, json]) => isWrong(name, json)).map(([name]) => name);
  if (wrong.length > 0) {
    const { param } = await refusalOf(response);
    expect(wrong).toContain(param.split('.')[0]);
    expect(first.requests).toEqual([]);
    return;
  }
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const expected = [...last].filter(([name]) => !dropped.includes(name.toLowerCase()));
  const sent = readEntries(first.requests[0]?.text ?? '');
  expect(sent.filter(([name]) => name !== 'model' && name !== 'messages').sort()).toEqual(expected.sort());
  expect(sent.filter(([name]) => name === 'model')).toEqual([['model', '"upstream-writer"']]);
}
