import { parseCatalogue } from '@errand/models';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamScript,
} from '../../../test/support/scripted-upstream.ts';
import { checkServers } from './check-servers.ts';

const apiKey = 'sk-never-printed-1';
const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2, perSecond: 1 };
const prices = {
  chat: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
  decision: { inputPerMillionTokens: price.inputPerMillionTokens },
  speech: { perSecond: price.perSecond },
};

let first: ScriptedUpstream;
let second: ScriptedUpstream;

beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
});
afterAll(() => Promise.all([first.close(), second.close()]));
beforeEach(() => {
  for (const server of [first, second])
    server.script(lists({ data: [{ id: 'big-1' }, { id: 'acme/small' }] }));
});

const lists =
  (body: unknown, status = 200): UpstreamScript =>
  (wire) =>
    wire.json(status, body);

interface Entry {
  id?: string;
  kind?: keyof typeof prices;
  at?: ScriptedUpstream;
  name?: string;
  key?: string;
  protocol?: string;
  api?: 'messages';
  fallbacks?: object[];
}

const entryOf = ({
  id = 'writer',
  kind = 'chat',
  at = first,
  name = 'big-1',
  key,
  protocol,
  api,
  fallbacks = [],
}: Entry) => ({
  id,
  kind,
  upstream: {
    baseUrl: at.baseUrl,
    model: name,
    apiKeyEnv: key || undefined,
    protocol: protocol || undefined,
    api,
  },
  fallbacks,
  price: prices[kind],
});

const ask = (entries: Entry[], standIns: string[] = [], fromFile = true) =>
  checkServers({
    catalogue: parseCatalogue({ models: entries.map(entryOf), roles: {} }, () => apiKey),
    standIns: new Set(standIns),
    fromFile,
  });

const hostOf = ({ baseUrl }: ScriptedUpstream) => `${new URL(baseUrl).host}/v1`;

test('servers that list their models make one line, and each is asked once, with its key', async () => {
  const models = [
    { id: 'writer', key: 'KEY' },
    { id: 'small', name: 'acme/small', key: 'KEY' },
    { id: 'other', at: second },
  ];
  expect(await ask(models)).toEqual(['All 2 model servers answer, and have their models.']);
  expect(first.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/models', `Bearer ${apiKey}`],
  ]);
  expect(second.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('a server of Messages is asked for a list that is long enough to be whole', async () => {
  await ask([{ api: 'messages' }]);
  expect(first.requests.map(({ path }) => path)).toEqual(['/v1/models?limit=1000']);
});

test('stand-ins are not asked, and not mentioned', async () => {
  expect(await ask([{ id: 'writer' }], ['writer'])).toEqual([]);
  expect(first.requests).toHaveLength(0);
});

describe.each<[name: string, body: unknown, missing: string[]]>([
  ['OpenAI', { data: [{ id: 'big-1' }] }, []],
  ['Ollama', { data: [{ id: 'big-1:latest' }] }, []],
  ['Google', { models: [{ name: 'models/big-1' }] }, []],
  ['Anthropic', { data: [{ id: 'big-1-20260929' }], has_more: false }, []],
  ['a bare list', [{ id: 'big-1' }], []],
  ['a router, whose name is longer', { data: [{ id: 'acme/big-1' }] }, ['big-1']],
  ['another model', { data: [{ id: 'big-10' }, { id: 'big-1-mini' }, { id: 'big-1-2026' }] }, ['big-1']],
  ['no model', { data: [] }, ['big-1']],
  ['nonsense entries', { data: [null, 1, { id: 2 }] }, ['big-1']],
])('a list like that of %s', (_, body, missing) => {
  test(missing.length === 0 ? 'has the model' : 'lacks the model, and that is a warning', async () => {
    first.script(lists(body));
    expect(await ask([{}])).toEqual(
      missing.length === 0
        ? ['The model server answers, and has its models.']
        : [`Warning: ${hostOf(first)} does not list "big-1" (model writer).`],
    );
  });
});

test.each([401, 403])(
  'a key that is refused (%d) is a warning that names its variable, not the key',
  async (status) => {
    first.script(lists({ error: { message: apiKey } }, status));
    expect(await ask([{ key: 'ACME_KEY' }, { id: 'other', key: 'ACME_KEY' }])).toEqual([
      `Warning: ${hostOf(first)} (models writer, other) refuses the key of ACME_KEY (${status}).`,
    ]);
  },
);

test.each([
  ['its apiKeyEnv in the catalogue', true],
  ['MODEL_API_KEY', false],
])(
  'a server that wants a key where the set-up has none is a warning that names %s',
  async (field, fromFile) => {
    first.script(lists({}, 401));
    expect(await ask([{}], [], fromFile)).toEqual([
      `Warning: ${hostOf(first)} (model writer) wants a key (401), and the set-up has none: set ${field}.`,
    ]);
  },
);

test('a warning says that its server is a fallback', async () => {
  const backed: Entry = { fallbacks: [{ baseUrl: second.baseUrl, model: 'big-9' }] };
  expect(await ask([backed])).toEqual([
    `Warning: ${hostOf(second)} does not list "big-9" (fallback of writer).`,
  ]);
  second.script(lists({}, 401));
  expect((await ask([backed, { id: 'other', at: second }]))[0]).toContain(
    '(model other; fallback of writer) wants',
  );
});

const unchecked = (ids: string) =>
  `no list of models to compare with, so their names were not checked: ${ids}.`;

test.each<[string, UpstreamScript]>([
  ['404', lists({}, 404)],
  ['a page', (wire) => wire.json(200, '<html>')],
  ['another object', lists({ ok: true })],
])(
  '%s in place of a list is a warning for a chat model; for a decision model the start says that its name was not checked',
  async (_, script) => {
    first.script(script);
    expect((await ask([{}]))[0]).toContain('has no list of models. If it');
    const judge: Entry = { id: 'sys', kind: 'decision' };
    expect(await ask([judge])).toEqual([`The model server answers. It has ${unchecked('sys')}`]);
    expect(await ask([judge, { id: 'other', at: second }])).toEqual([
      `All 2 model servers answer. 1 of them has ${unchecked('sys')}`,
    ]);
  },
);

test.each([301, 308])('a redirect (%d) is a warning about the address', async (status) => {
  first.script((wire) => wire.json(status, {}, { Location: second.baseUrl }));
  expect(await ask([{ kind: 'decision' }])).toEqual([
    `Warning: ${hostOf(first)} (model writer) redirects (${status}), which is not followed: look at its baseUrl.`,
  ]);
  expect(second.requests).toHaveLength(0);
});

test('a server in trouble and one that cannot be reached are warnings, and the others are still looked at', async () => {
  first.script(lists({}, 503));
  const gone = await startUpstream();
  await gone.close();
  expect(await ask([{}, { id: 'far', at: gone }, { id: 'other', at: second }])).toEqual([
    `Warning: ${hostOf(first)} (model writer) answered 503 when it was asked for its models.`,
    `Warning: ${hostOf(gone)} (model far) cannot be reached (ECONNREFUSED).`,
  ]);
});

test('a server that never answers is given up after 5 s', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const bound = new AbortController();
  timeout.mockReturnValue(bound.signal);
  first.script(() => bound.abort(new DOMException('late', 'TimeoutError')));
  expect(await ask([{}])).toEqual([`Warning: ${hostOf(first)} (model writer) does not answer within 5 s.`]);
  expect(timeout).toHaveBeenCalledWith(5_000);
  timeout.mockRestore();
});

test('Deepgram is asked by its own API', async () => {
  first.script(lists({ stt: [{ name: 'general' }], tts: [] }));
  const ears: Entry = { id: 'ears', kind: 'speech', name: 'nova-3', key: 'KEY', protocol: 'deepgram' };
  expect(await ask([ears])).toEqual([`The model server answers. It has ${unchecked('ears')}`]);
  expect(first.requests.map(({ headers }) => headers.authorization)).toEqual([`Token ${apiKey}`]);
});
