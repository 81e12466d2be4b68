import { createKey } from '@errand/accounts';
import { type KeyLimits, limits, type RouteFamily, routeFamilies, toIso } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { holdFirst } from '../faults/support/evidence.ts';
import type { Ground } from '../faults/support/ground.ts';
import { eventually } from '../support/eventually.ts';
import { type Admin, useGroundWithAdmin } from './support/admin.ts';
import { openReader } from './support/reader.ts';
import { type Scene, startScene, startWorker } from './support/scene.ts';

let ground: Ground;
let admin: Admin;
useGroundWithAdmin((started) => ({ ground, admin } = started));

const expired = 'The API key expired.';

/** The scene's key ends a second from now, by the word of another process. */
async function letExpire({ time, keyId }: Scene): Promise<void> {
  const expires = toIso(time.clock() + 1_000);
  expect(await admin('key', 'update', keyId, '--expires', expires)).toMatchObject({ expires });
}

test('a run in the middle of a model call, and its stream, end when its key expires; what was done is charged', async () => {
  const scene = await startScene(ground, 'expired-running');
  const { desk, agentId, time } = scene;
  const hold = holdFirst(scene, 'completion-2');
  const worker = await startWorker(scene);
  const reader = await openReader(desk.request, agentId);
  await hold.asked;
  // The watches of two processes, a reservation, and the place of the stream.
  await eventually(() => time.timers()).toBe(4);
  await letExpire(scene);
  time.advance(limits.keyCheckMilliseconds);
  expect((await reader.ended).map(({ type }) => type)).not.toContain('done');
  expect(await worker.handled()).toBe('deleted');
  expect(await desk.record(agentId)).toMatchObject({ status: 'failed', error: expired });
  const charged = await desk.charged(agentId);
  expect(charged.ids).toEqual(['broken-off-1-0', 'completion-1', 'forced-0-0', 'forced-1-0']);
  expect(charged.spentNanoEuro).toBe(charged.sumNanoEuro);
  hold.open();
  await worker.stop();
  desk.close();
});

test('a queued run of an expired key makes no call, and the key is a 401 from the instant at which it expires', async () => {
  const scene = await startScene(ground, 'expired-queued');
  const { desk, agentId, label, time } = scene;
  await letExpire(scene);
  time.advance(limits.keyCacheMilliseconds);
  const refused = await desk.request('/v1/agents');
  expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized']);
  const worker = await startWorker(scene);
  expect(await worker.handled()).toBe('deleted');
  expect(await desk.record(agentId)).toMatchObject({ status: 'failed', error: expired });
  expect(ground.outside.asked.filter((one) => one.label === label)).toEqual([]);
  await worker.stop();
  desk.close();
});

const run = '/v1/agents/runs/00000000-0000-4000-8000-000000000000';
const skill = '/v1/skills/skill_none';

/** Routes by their family; those of `open` are for every key. */
const routes: [RouteFamily | 'open', string, string][] = [
  ['runs', 'GET', '/v1/agents/runs'],
  ['runs', 'POST', '/v1/agents/runs'],
  ['runs', 'POST', '/v1/uploads'],
  ['chat', 'POST', '/v1/chat/completions'],
  ['chat', 'POST', '/v1/messages'],
  ['chat', 'POST', '/v1/messages/count_tokens'],
  ['decisions', 'POST', '/v1/systemone'],
  ['runs', 'GET', run],
  ['runs', 'DELETE', run],
  ['runs', 'POST', `${run}/cancel`],
  ['runs', 'GET', `${run}/events`],
  ['runs', 'GET', `${run}/stream`],
  ['runs', 'GET', '/v1/values'],
  ['runs', 'GET', '/v1/values/name'],
  ['runs', 'DELETE', '/v1/values/name'],
  ['skills', 'GET', '/v1/skills'],
  ['skills', 'POST', '/v1/skills'],
  ['skills', 'GET', skill],
  ['skills', 'PATCH', skill],
  ['skills', 'DELETE', skill],
  ['skills', 'GET', `${skill}/versions`],
  ['skills', 'GET', `${skill}/versions/1`],
  ['skills', 'POST', `${skill}/versions/1/restore`],
  ['open', 'GET', '/v1/agents'],
  ['open', 'GET', '/v1/models'],
  ['open', 'GET', '/v1/pricing/writer'],
  ['open', 'GET', '/v1/credits'],
  ['open', 'GET', '/v1/credits/entries'],
  ['open', 'GET', '/v1/usage'],
];

async function withKey(desk: Desk, keyLimits: KeyLimits): Promise<Desk> {
  const made = { accountId: desk.accountId, label: 'limited', limits: keyLimits };
  const { key } = await createKey(accountsDeps(desk.parts), made);
  return desk.as({ accountId: desk.accountId, key });
}

test('a key reaches the routes that it names and those for every key, and no others; its requests are counted', async () => {
  const desk = await openDesk(ground);
  for (const allowed of routeFamilies) {
    const limited = await withKey(desk, { routes: [allowed] });
    for (const [family, method, path] of routes) {
      const body = method === 'PATCH' || method === 'POST' ? { body: '{}' } : {};
      const response = await limited.request(path, { method, ...body });
      const text = await response.text();
      const isRefused = family !== 'open' && family !== allowed;
      expect([method, path, response.status === 403]).toEqual([method, path, isRefused]);
      if (isRefused) expect(text).toContain(`This key may not be used for ${family}.`);
      expect(response.headers.get('RateLimit-Remaining')).toMatch(/^\d+$/);
    }
    limited.close();
  }
  desk.close();
});

test('a chat with a model that the key does not name never reaches the model', async () => {
  const desk = await openDesk(ground);
  const limited = await withKey(desk, { models: ['eyes'] });
  for (const model of ['writer', 'writer-compressed']) {
    const messages = [{ role: 'user', content: '[forbidden run]' }];
    const response = await limited.request('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model, messages }),
    });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        error: {
          message: `This key may not use the model "${model}".`,
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_forbidden',
        },
      },
    ]);
  }
  expect(ground.outside.asked.filter(({ label }) => label === 'forbidden')).toEqual([]);
  limited.close();
  desk.close();
});
