import { silentLog } from '@errand/platform';
import { expect, test } from 'vitest';
import { listPage } from './answers.ts';
import { defineTools } from './define-tools.ts';
import { remoteTools } from './remote-tools.ts';
import type { RemoteServer } from './server.ts';

const shop: RemoteServer = { label: 'shop', url: 'https://tools.test/mcp' };

/** The tools of a run that has kept this list of them. */
function opened(definitions: readonly object[], settings: Pick<RemoteServer, 'repeat'>) {
  const kept = JSON.stringify({ definitions, notices: [] });
  const deps = {
    web: { allowedHosts: new Set<string>() },
    runId: 'run',
    log: silentLog,
    contextTokens: 32_768,
    kept: { read: async () => kept, keep: async () => {} },
  };
  return remoteTools(deps, [{ ...shop, ...settings }]).open(new AbortController().signal);
}

/** Whether the calls of a tool with these annotations act. */
async function acts(annotations: unknown, repeat?: RemoteServer['repeat']): Promise<boolean | undefined> {
  const page = listPage['~standard'].validate({
    tools: [{ name: 'buy', inputSchema: { type: 'object' }, annotations }],
  });
  const tools = 'value' in page ? page.value.tools : [];
  return (await opened(defineTools([{ server: shop, tools }], 32_768), { repeat })).tools[0]?.acts;
}

test.each<[string, unknown, boolean]>([
  ['no annotations', undefined, true],
  ['empty annotations', {}, true],
  ['annotations that are none', 'readOnlyHint', true],
  ['readOnlyHint false', { readOnlyHint: false }, true],
  ['a word in place of true', { readOnlyHint: 'true' }, true],
  ['destructiveHint false alone', { destructiveHint: false }, true],
  ['readOnlyHint', { readOnlyHint: true }, false],
  ['idempotentHint', { destructiveHint: true, idempotentHint: true }, false],
])('a tool with %s acts: by the defaults of the protocol', async (_, annotations, expected) => {
  expect(await acts(annotations)).toBe(expected);
});

test("the server's setting goes before what its tools say of themselves", async () => {
  expect(await acts({ readOnlyHint: true }, 'never')).toBe(true);
  expect(await acts({}, 'always')).toBe(false);
});

test('the tools of a list that an earlier release kept act, because it kept no annotations', async () => {
  const definition = { name: 'shop__buy', label: 'shop', remoteName: 'buy', description: '', parameters: {} };
  expect((await opened([definition], {})).tools[0]?.acts).toBe(true);
});

test('a server that is only asked for its tools again does not act', async () => {
  const { tools } = await opened(
    defineTools([{ server: shop, tools: [], problem: 'it is down' }], 32_768),
    {},
  );
  expect(tools.map(({ name, acts }) => [name, acts])).toEqual([['shop__list_tools', false]]);
});
