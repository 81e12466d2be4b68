import { silentLog } from '@errand/platform';
import { expect, test } from 'vitest';
import { listPage } from './answers.ts';
import { defineTools } from './define-tools.ts';
import { remoteTools } from './remote-tools.ts';
import type { RemoteServer } from './server.ts';

/** Whether the calls of a tool with these annotations act, as a run sees it that kept its list. */
async function acts(annotations: unknown, repeat?: RemoteServer['repeat']): Promise<boolean | undefined> {
  const server: RemoteServer = { label: 'shop', url: 'https://tools.test/mcp', repeat };
  const page = listPage['~standard'].validate({
    tools: [{ name: 'buy', inputSchema: { type: 'object' }, annotations }],
  });
  const tools = 'value' in page ? page.value.tools : [];
  const kept = JSON.stringify({ definitions: defineTools([{ server, tools }], 32_768), notices: [] });
  const web = { allowedHosts: new Set<string>() };
  const deps = {
    web,
    runId: 'run',
    log: silentLog,
    contextTokens: 32_768,
    kept: { read: async () => kept, keep: async () => {} },
  };
  const opened = await remoteTools(deps, [server]).open(new AbortController().signal);
  return opened.tools[0]?.acts;
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
