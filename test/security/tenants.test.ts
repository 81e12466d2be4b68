import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import type { OpenApi } from './support/fuzz-requests.ts';
import { readOpenApi } from './support/make-material.ts';

/** What the owner has, by the names of the parameters that lead to it. */
interface Belongings {
  agentId: string;
  id: string;
  name: string;
  number: string;
  webhook: string;
  delivery: string;
  schedule: string;
}

let provider: Provider;
let service: TestService;
let openApi: OpenApi;
let owner: { accountId: string; key: string };
let belongings: Belongings;
/** Keys that must not reach the run; the second one is the owner's own, and may read its skills and values. */
let strangers: { whose: string; key: string; reaches: (route: string) => boolean }[];

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  openApi = await readOpenApi(service.baseUrl);
  owner = await service.newAccount();
  const other = await service.newAccount();
  strangers = [
    { whose: 'another account', key: other.key, reaches: () => false },
    {
      whose: 'another key of the account',
      key: await service.newKey(owner.accountId),
      reaches: (route) => !/\/(runs|responses|webhooks|schedules)\//.test(route),
    },
  ];
  belongings = await makeBelongings();
});

async function makeBelongings(): Promise<Belongings> {
  const { key } = owner;
  provider.script(
    inTurn({ calls: [{ name: 'save_data', args: { name: 'iban', value: 'X' } }] }, { text: 'Done.' }),
  );
  const agentId = await service.start({ question: 'Save it' }, key);
  await service.follow(agentId, { key });
  const skill = await service.post('/v1/skills', { name: 'own', instructions: 'Be brief.' }, { key });
  const { id } = (await skill.json()) as { id: string };
  const hook = { url: 'https://example.com/', events: ['run.failed'] };
  const made = await service.post('/v1/webhooks', hook, { key });
  const { id: webhook } = (await made.json()) as { id: string };
  const tested = await service.post(`/v1/webhooks/${webhook}/test`, {}, { key });
  const { id: delivery } = (await tested.json()) as { id: string };
  const name = 'iban';
  await service.post('/v1/agents', { name, instructions: 'Be brief.' }, { key });
  const planned = await service.post('/v1/schedules', { question: 'What is new?', every: '31d' }, { key });
  const { id: schedule } = (await planned.json()) as { id: string };
  return { agentId, id, name, number: '1', webhook, delivery, schedule };
}

const missing = (): Belongings => ({
  agentId: randomUUID(),
  id: `skill_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
  name: `iban-${randomUUID()}`,
  number: '1',
  webhook: `webhook_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
  delivery: `msg_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
  schedule: `schedule_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
});

/** Every operation whose path names something. Links to files carry a signature instead of a key. */
const operations = () =>
  Object.entries(openApi.paths)
    .filter(([route]) => /\{(agentId|id|name)\}/.test(route) && !route.startsWith('/v1/files/'))
    .flatMap(([route, methods]) =>
      Object.keys(methods)
        .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
        .map((method) => ({ method, route })),
    );

async function ask(method: string, route: string, to: Belongings, key: string): Promise<object> {
  // The run is a response, too.
  const ids = { responses: to.agentId, webhooks: to.webhook, schedules: to.schedule };
  const id = Object.entries(ids).find(([area]) => route.startsWith(`/v1/${area}/`))?.[1] ?? to.id;
  const named = { ...to, id };
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: keyof Belongings) => encodeURIComponent(named[name]));
  const response = await service.request(path, {
    method,
    key,
    headers: { 'Content-Type': 'application/json' },
    ...(method === 'PATCH' && {
      body: JSON.stringify(
        id === to.schedule ? { name: 'Mine now.' } : { instructions: 'Mine now.', description: 'Mine now.' },
      ),
    }),
  });
  const told = ['content-type', 'content-length', 'etag', 'x-skill', 'allow'];
  return {
    status: response.status,
    body: await response.text(),
    headers: told.map((name) => response.headers.get(name)),
  };
}

const ownView = async () =>
  Promise.all(
    [
      '/v1/agents/runs/{agentId}',
      '/v1/skills/{id}',
      '/v1/skills/{id}/versions/1',
      '/v1/values/{name}',
      '/v1/webhooks/{id}',
      '/v1/agents/{name}',
      '/v1/schedules/{id}',
    ].map((route) => ask('GET', route, belongings, owner.key)),
  );

test('what belongs to somebody else cannot be told from what does not exist, on any route', async () => {
  const before = await ownView();
  let crossings = 0;
  for (const { whose, key, reaches } of strangers) {
    for (const { method, route } of operations().filter((each) => !reaches(each.route))) {
      const foreign = await ask(method, route, belongings, key);
      expect(foreign, `${whose}: ${method} ${route}`).toEqual(await ask(method, route, missing(), key));
      expect(foreign, `${whose}: ${method} ${route}`).toMatchObject({ status: 404 });
      crossings++;
    }
  }
  expect(crossings).toBeGreaterThan(25);
  expect(await ownView()).toEqual(before);
});

test.each(['/v1/agents/runs', '/v1/skills', '/v1/values', '/v1/webhooks', '/v1/schedules'])(
  '%s lists nothing of another account',
  async (route) => {
    const [other] = strangers;
    const text = await (await service.request(route, other ? { key: other.key } : {})).text();
    const { agentId, id, name, webhook, schedule } = belongings;
    for (const own of [agentId, id, name, webhook, schedule]) expect(text).not.toContain(own);
  },
);

test("another account's skill, upload and Idempotency-Key mean nothing to a request", async () => {
  const [other] = strangers as [(typeof strangers)[0]];
  const options = { key: other.key };
  const chat = { model: 'writer', messages: [{ role: 'user', content: 'Hi' }], skills: 'own' };
  expect((await service.post('/v1/chat/completions', chat, options)).status).toBe(400);
  const upload = await service.post('/v1/uploads', { filename: 'a.txt', size: 5 }, { key: owner.key });
  const { uploadId } = (await upload.json()) as { uploadId: string };
  const taken = await service.post('/v1/agents/runs', { question: 'Read it', uploadId }, options);
  const unknown = await service.post('/v1/agents/runs', { question: 'Read it', uploadId: 'x' }, options);
  expect([taken.status, unknown.status]).toEqual([400, 400]);
  provider.script(() => ({ text: 'Done.' }));
  const repeated = { question: 'Once' };
  const headers = { 'Idempotency-Key': 'once' };
  const first = await service.post('/v1/agents/runs', repeated, { key: owner.key, headers });
  const second = await service.post('/v1/agents/runs', repeated, { key: other.key, headers });
  const ids = await Promise.all(
    [first, second].map(async (each) => ((await each.json()) as Belongings).agentId),
  );
  expect(new Set(ids).size).toBe(2);
});
