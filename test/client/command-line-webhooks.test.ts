import { beforeAll, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import type { TestService } from '../support/service.ts';
import { type ErrandUser, newUser } from './support/errand-process.ts';

let service: TestService;
let user: ErrandUser;

useSteadyService((started) => ({ service } = started));
beforeAll(async () => {
  user = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey });
  return () => user.leave();
});

const address = 'https://hooks.invalid/errand';

const told = async (...words: string[]) => {
  const { code, stdout, stderr } = await user.errand(['webhooks', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

const read = async (...words: string[]) => JSON.parse(await told(...words, '--json'));

test('errand webhooks create tells the secret, hears of the ends of runs unless told otherwise, and lists it without the secret', async () => {
  const { id, secret, events } = await read('create', address, '--description', 'For the test');
  expect(secret).toMatch(/^whsec_/);
  expect(events).toEqual(['run.succeeded', 'run.failed', 'run.awaiting_input']);
  const { webhooks } = await read('list');
  expect(webhooks).toContainEqual(expect.objectContaining({ id, description: 'For the test' }));
  const listed = await told('list');
  expect(listed).toMatch(new RegExp(`^${id} +on +${address} +run\\.succeeded,`, 'm'));
  expect(listed).not.toContain(secret);
  await told('delete', id);
});

test('errand webhooks test and redeliver send an event, which deliveries lists', async () => {
  const { id } = await read('create', address, '--events', 'credits.low');
  expect(await told('deliveries', id)).toBe('Nothing was sent yet.\n');
  const { id: delivery, type } = await read('test', id);
  expect(type).toBe('webhook.test');
  expect(await told('deliveries', id)).toMatch(
    new RegExp(`^${delivery} +webhook\\.test +(pending|failed)`, 'm'),
  );
  expect((await read('redeliver', id, delivery)).id).toBe(delivery);
  await told('delete', id);
});

test.each(['test', 'deliveries', 'rotate', 'delete'])(
  'errand webhooks %s says that there is no such webhook',
  async (command) => {
    const { code, stderr } = await user.errand(['webhooks', command, 'nope']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no webhook nope for this key\./);
  },
);

test('errand webhooks deliveries reads on after a cursor', async () => {
  const { id } = await read('create', address, '--events', 'credits.low');
  const older = await read('test', id);
  await read('test', id);
  const response = await service.request(`/v1/webhooks/${id}/deliveries?limit=1`);
  const { cursor } = (await response.json()) as { cursor: string };
  const { deliveries } = await read('deliveries', id, '--cursor', cursor);
  expect(deliveries.map((delivery: { id: string }) => delivery.id)).toEqual([older.id]);
  const { code, stderr } = await user.errand(['webhooks', 'redeliver', id, 'nope']);
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^There is no delivery nope of webhook ${id} for this key\\.`));
  await told('delete', id);
});

test('errand webhooks rotate gives a new secret, and delete takes the webhook away', async () => {
  const { id, secret } = await read('create', address);
  const rotated = await told('rotate', id);
  expect(rotated).toMatch(/whsec_\S+\nThe one before signs too, until \d{4}-/);
  expect(rotated).not.toContain(secret);
  expect(await read('delete', id)).toEqual({ id });
  expect((await read('list')).webhooks).toEqual([]);
  expect((await user.errand(['webhooks', 'delete', id])).code).toBe(1);
});

test('errand webhooks create refuses an event that there is not, before it asks the service', async () => {
  const { code, stderr } = await user.errand(['webhooks', 'create', address, '--events', 'run.done']);
  expect(code).toBe(2);
  expect(stderr).toContain('run.done, which is none of run.succeeded,');
});
