import {
  authenticate,
  createAccount,
  createKey,
  freezeAccount,
  revokeKey,
  thawAccount,
} from '@errand/accounts';
import { awsSettings } from '@errand/local/testing';
import type { TimedStoreDeps } from '@errand/money';
import { createAwsClients, limits, systemClock } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { afterAll, expect, test } from 'vitest';
import { holdFirst } from '../faults/support/evidence.ts';
import type { Ground } from '../faults/support/ground.ts';
import { eventually } from '../support/eventually.ts';
import { type Admin, useGroundWithAdmin } from './support/admin.ts';
import { openReader } from './support/reader.ts';
import { startScene, startWorker } from './support/scene.ts';

let ground: Ground;
let admin: Admin;
useGroundWithAdmin((started) => ({ ground, admin } = started));
const clients: { destroy(): void }[] = [];
afterAll(() => {
  for (const client of clients) client.destroy();
});

test('the keys of a frozen account are refused within the time of the cache, its streams close and its runs end; thawing undoes the refusal alone', async () => {
  const scene = await startScene(ground, 'frozen');
  const { desk, agentId, time } = scene;
  const accounts = accountsDeps(desk.parts);
  const { accountId } = desk;
  const gone = await createKey(accounts, { accountId, label: 'revoked' });
  await revokeKey(accounts, gone.keyId);
  const statusOf = async (key: string) =>
    (await desk.request('/v1/agents', { headers: { Authorization: `Bearer ${key}` } })).status;
  const hold = holdFirst(scene, 'completion-2');
  const worker = await startWorker(scene);
  const reader = await openReader(desk.request, agentId);
  await hold.asked;
  await eventually(() => time.timers()).toBe(4);
  const waiting = await desk.colleague(time.clock, await ground.newQueues());
  const waitingId = await waiting.start({ question: 'Wait.' });

  expect(await admin('account', 'freeze', accountId)).toMatchObject({ accountId, keys: 2, runsEnded: 1 });
  time.advance(limits.keyCheckMilliseconds);
  expect((await reader.ended).map(({ type }) => type)).not.toContain('done');
  expect(await worker.handled()).toBe('deleted');
  const ended = { status: 'failed', error: 'The account was frozen.' };
  for (const id of [agentId, waitingId]) expect(await desk.record(id)).toMatchObject(ended);
  expect((await desk.charged(agentId)).ids).toEqual([
    'broken-off-1-0',
    'completion-1',
    'forced-0-0',
    'forced-1-0',
  ]);
  time.advance(limits.keyCacheMilliseconds - limits.keyCheckMilliseconds);
  const refused = await desk.request('/v1/agents');
  expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized']);
  const later = await createKey(accounts, { accountId, label: 'made while frozen' });
  expect(await statusOf(later.key)).toBe(401);

  const { keys } = (await admin('key', 'list', '--account', accountId)) as { keys: { frozenAt?: string }[] };
  expect(keys.map(({ frozenAt }) => typeof frozenAt)).toEqual(['string', 'string', 'string']);

  expect(await admin('account', 'thaw', accountId)).toEqual({ accountId, frozen: false, keys: 3 });
  expect([await statusOf(desk.key), await statusOf(later.key), await statusOf(gone.key)]).toEqual([
    200, 200, 401,
  ]);
  expect(await desk.read(agentId)).toMatchObject(ended);
  hold.open();
  await worker.stop();
  waiting.close();
  desk.close();
});

test('freezing and thawing may be repeated, and refuse an account that does not exist', async () => {
  const { accountId, key } = await ground.newAccount();
  const first = await admin('account', 'freeze', accountId);
  expect(await admin('account', 'freeze', accountId)).toEqual(first);
  for (let times = 0; times < 2; times++) await admin('account', 'thaw', accountId);
  expect((await authenticate(processOf(), `Bearer ${key}`)).accountId).toBe(accountId);
  for (const command of ['freeze', 'thaw'])
    await expect(admin('account', command, 'account_none')).rejects.toThrow(
      'There is no account account_none.',
    );
});

test("a key that is made while its account is being frozen or thawed has the account's state", async () => {
  const operator = processOf();
  const wrong: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { accountId } = await createAccount(operator, { name: 'racing', creditsNanoEuro: 0 });
    const make = () => createKey(processOf(), { accountId, label: 'racing' });
    const keys = await Promise.all(Array.from({ length: 15 }, make));
    for (const [change, works] of [
      [freezeAccount, false],
      [thawAccount, true],
    ] as const) {
      const made = await Promise.all([change(operator, accountId), ...Array.from({ length: 8 }, make)]);
      keys.push(...made.slice(1).map((one) => one as (typeof keys)[number]));
      for (const { key, keyId } of keys) {
        const answer = await authenticate(processOf(), `Bearer ${key}`).then(
          () => true,
          () => false,
        );
        if (answer !== works) wrong.push(`${change.name} ${keyId}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  { change: freezeAccount, before: thawAccount, works: false },
  { change: thawAccount, before: freezeAccount, works: true },
])(
  "a key has its account's state also where $change.name comes between the read of the account and the write of the key",
  async ({ change, before, works }) => {
    const operator = processOf();
    const { accountId } = await createAccount(operator, { name: 'between', creditsNanoEuro: 0 });
    await before(operator, accountId);
    const maker = processOf();
    let writes = 0;
    maker.dynamodb.middlewareStack.add(
      (next, context) => async (args) => {
        if (String(context.commandName).startsWith('TransactWrite') && ++writes === 1)
          await change(operator, accountId);
        return next(args);
      },
      { step: 'initialize', name: 'between' },
    );
    const { key } = await createKey(maker, { accountId, label: 'between' });
    const answer = authenticate(processOf(), `Bearer ${key}`);
    if (works) expect(await answer).toMatchObject({ accountId });
    else await expect(answer).rejects.toMatchObject({ code: 'unauthorized' });
    expect(writes).toBe(2);
  },
);

/** A process that has no key in its cache. */
function processOf(): TimedStoreDeps {
  const settings = awsSettings(ground.settings.endpoints);
  const { dynamodb, sqs } = createAwsClients(settings);
  clients.push(dynamodb, sqs);
  return { dynamodb, tables: settings.tables, clock: systemClock };
}
