import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCatalogue } from '@errand/models';
import { createLog, readConfig, silentLog } from '@errand/platform';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendJson, serve } from '../../test/support/local-server.ts';
import { localCatalogue, writeStandIns } from './local-catalogue.ts';

test('the stand-ins of a service are in a file that operators may name as a catalogue', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-stand-ins-'));
  const models = await localCatalogue(readConfig('local', {}), silentLog);
  onTestFinished(async () => {
    await models.stop();
    await rm(dataDir, { recursive: true });
  });
  const file = (await writeStandIns(dataDir, models)) ?? '';
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const read = await loadCatalogue({ modelCatalogue: file, model: {}, secret: () => undefined });
  expect(read).toEqual({ ...models.catalogue, mcpServers: [] });
});

test('a service with a catalogue of its own writes no catalogue file', async () => {
  const models = { catalogue: { models: [], roles: {} }, standIns: new Set<string>(), fromFile: true };
  expect(await writeStandIns('/nowhere', { ...models, stop: async () => {} })).toBeUndefined();
});

describe('one real model', () => {
  /** The catalogue in front of a server with this list of models, and what was logged. */
  async function started(list: unknown, env: Record<string, string> = {}) {
    const server = await serve((_, response) =>
      sendJson(response, list === undefined ? 404 : 200, list ?? {}),
    );
    const lines: object[] = [];
    const log = createLog((line) => void lines.push(JSON.parse(line)));
    const config = { MODEL_BASE_URL: `${server.url}/v1`, MODEL_ID: 'big', ...env };
    const local = await localCatalogue(readConfig('local', config), log);
    onTestFinished(async () => {
      await local.stop();
      await server.close();
    });
    return { ...local, lines, context: local.catalogue.models[0]?.contextTokens };
  }

  const listing = (fields: object) => ({
    data: [
      { id: 'small', context_length: 8_192 },
      { id: 'big', ...fields },
    ],
  });

  test.each([
    { context_length: 131_072 },
    { max_model_len: 131_072 },
    { context_window: 131_072 },
    { max_context_length: 131_072, loaded_context_length: null },
    { loaded_context_length: 131_072, max_context_length: 262_144 },
    { meta: { n_ctx: 131_072, n_ctx_train: 262_144 } },
    { meta: { n_ctx_train: 131_072 } },
  ])('has the context that its server lists as %j', async (fields) => {
    expect(await started(listing(fields))).toMatchObject({ context: 131_072, lines: [] });
  });

  test.each([
    [undefined],
    [listing({})],
    [listing({ context_length: 'much' })],
    [listing({ context_length: 1e12 })],
    [{ data: [{ id: 'other', context_length: 8_192 }] }],
  ])('has no context where its server answers %j, and the log says so', async (list) => {
    const { context, lines } = await started(list);
    expect(context).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'warn', message: 'model context unknown', model: 'big' }]);
  });

  test('has the context of MODEL_CONTEXT_TOKENS before that of the list', async () => {
    const env = { MODEL_CONTEXT_TOKENS: '65536' };
    expect(await started(listing({ context_length: 131_072 }), env)).toMatchObject({
      context: 65_536,
      lines: [],
    });
  });

  test.each([
    ['', { reasoning: 'big', vision: 'big' }],
    ['decision', { reasoning: 'big', vision: 'big', decision: 'stand-in-decision' }],
    [
      'decision, speech',
      { reasoning: 'big', vision: 'big', decision: 'stand-in-decision', speech: 'stand-in-speech' },
    ],
  ])('has the stand-ins beside it that STAND_INS=%s names', async (STAND_INS, roles) => {
    expect((await started(listing({}), { STAND_INS })).catalogue.roles).toEqual(roles);
  });
});
