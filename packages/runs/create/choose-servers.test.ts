import { initialState } from '@errand/agent';
import { parseCatalogue } from '@errand/models';
import { limits, validate } from '@errand/platform';
import { expect, test } from 'vitest';
import { createRunSchema } from '../schema.ts';
import { chooseServers } from './choose-servers.ts';
import { boundFirstCompletion } from './first-completion.ts';
import type { FollowedRun } from './follow.ts';

const url = 'https://tools.example.com/mcp';
const writer = {
  id: 'writer',
  kind: 'chat',
  upstream: { baseUrl: 'http://127.0.0.1:1', model: 'writer' },
  price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
};
const mcpServers = [
  { name: 'stock', url, accounts: 'all' },
  { name: 'books', url, accounts: ['another'] },
];
const catalogue = parseCatalogue({ models: [writer], mcpServers }, () => undefined);
const deps = { catalogue, web: { allowedHosts: new Set<string>() } };

const choose = (mcp: unknown) =>
  chooseServers(deps, { accountId: 'account' }, validate(createRunSchema, { question: 'Q?', mcp }));

test('servers are kept without their authorizations, which are kept by label', () => {
  const given = { label: 'shop', url, authorization: 'Basic YTpi', allowedTools: ['find'], repeat: 'never' };
  expect(choose([given, 'stock'])).toEqual({
    servers: [{ label: 'shop', url, allowedTools: ['find'], repeat: 'never' }, { name: 'stock' }],
    authorizations: { shop: 'Basic YTpi' },
  });
  expect(choose([])).toBeUndefined();
  expect(choose(undefined)).toBeUndefined();
});

test.each<[string, unknown[], string]>([
  ['five servers', ['a', 'b', 'c', 'd', 'e'].map((label) => ({ label, url })), 'mcp'],
  ['a label twice', [{ label: 'stock', url }, 'stock'], 'mcp[1]'],
  ['two underscores in a label', [{ label: 'a__b', url }], 'mcp[0].label'],
  ['an underscore at the end of a label', [{ label: 'a_', url }], 'mcp[0].label'],
  ['a capital in a label', [{ label: 'Shop', url }], 'mcp[0].label'],
  ['plain http', [{ label: 'a', url: 'http://tools.example.com/' }], 'mcp[0].url'],
  ['a private address', [{ label: 'a', url: 'https://169.254.169.254/' }], 'mcp[0].url'],
  ['a password in the address', [{ label: 'a', url: 'https://me:word@tools.example.com/' }], 'mcp[0].url'],
  ['a line in the authorization', [{ label: 'a', url, authorization: 'a\r\nb: c' }], 'mcp[0].authorization'],
  ['an empty authorization', [{ label: 'a', url, authorization: '' }], 'mcp[0].authorization'],
  ['a server of another account', ['books'], 'mcp[0]'],
  ['a server that does not exist', ['nothing'], 'mcp[0]'],
  ['another word for repeat', [{ label: 'a', url, repeat: 'once' }], 'mcp[0]'],
  ['a field that is not known', [{ label: 'a', url, headers: {} }], 'mcp[0]'],
])('%s is refused', (_, mcp, field) => {
  expect(() => choose(mcp)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      details: { issues: [expect.objectContaining({ field: expect.stringContaining(field) })] },
    }),
  );
});

test('the first completion of a run with servers has room for their definitions', async () => {
  const [model] = catalogue.models;
  const most = async (more: object) => {
    const request = { body: { question: 'Q?', ...more } };
    return (await boundFirstCompletion({ clock: Date.now }, { request, model })).mostNanoEuro;
  };
  expect((await most({ mcp: ['stock'] })) - (await most({}))).toBe(limits.remoteDefinitionsBytes * 1_000);
  expect(await most({ mcp: [] })).toBe(await most({}));
});

test('the first completion of a run that goes on has room for what the run before it would have begun with', async () => {
  const [model] = catalogue.models;
  const most = async (state: object, text: string) => {
    const attachment = { kind: 'document', filename: 'log.txt', text };
    const followed = { input: { agent: { question: 'Q?', attachment } }, state } as unknown as FollowedRun;
    const request = { body: { question: 'And then?' } };
    return (await boundFirstCompletion({ clock: Date.now }, { request, followed, model })).mostNanoEuro;
  };
  for (const state of [initialState, { ...initialState, phase: 'ended' }])
    expect((await most(state, 'x'.repeat(1_000))) - (await most(state, ''))).toBe(1_000 * 1_000);
});

test('the first completion of a run that refuses calls has room for the reasons', async () => {
  const [model] = catalogue.models;
  const most = async (reason: string) => {
    const request = { body: { question: 'Q?', approvals: [{ callId: 'a', approve: false, reason }] } };
    return (await boundFirstCompletion({ clock: Date.now }, { request, model })).mostNanoEuro;
  };
  expect((await most('x'.repeat(1_000))) - (await most(''))).toBe(1_000 * 1_000);
});

test.each<[string, object, number]>([
  ['', { contextTokens: 131_072 }, limits.outputTokensPerValue],
  [' of a small context', { contextTokens: 32_768 }, 8_192],
  [' that may write little', { contextTokens: 131_072, maxOutputTokens: 6_000 }, 6_000],
])(
  'the first completion of a run with a schema has room for a value of its model%s',
  async (_, more, tokens) => {
    const free = { ...writer, ...more, price: { inputPerMillionTokens: 0, outputPerMillionTokens: 1 } };
    const [model] = parseCatalogue({ models: [free] }, () => undefined).models;
    const outputSchema = '{"type":"object","properties":{}}';
    const request = { body: { question: 'Q?', outputSchema } };
    const bound = await boundFirstCompletion({ clock: Date.now }, { request, model });
    expect(bound.mostNanoEuro).toBe(tokens * 1_000);
  },
);
