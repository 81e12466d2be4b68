import { listKeys, revokeKey } from '@errand/accounts';
import { localTableNames } from '@errand/platform';
import { beforeAll, expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { png } from '../support/forbidden-images.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const clock = heldClock(new Date().toISOString());
let provider: Provider;
let service: TestService;
useService(
  (started) => ({ provider, service } = started),
  () => ({ clock }),
);
beforeAll(() => {
  provider.script(() => ({ text: 'A harbour.' }));
});

const part = (disposition: string, body: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--line\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
const form = Buffer.concat([
  part('name="question"', 'What is it?'),
  part('name="file"; filename="a.png"', png),
  Buffer.from('--line--\r\n'),
]);

test('a key that is revoked while its form arrives makes no run, and no model sees the file', async () => {
  const { accountId, key } = await service.newAccount();
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock };
  let send: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = controller;
    },
  });
  const answer = service.request('/v1/agents/runs', {
    method: 'POST',
    key,
    body,
    duplex: 'half',
    headers: { 'Content-Type': 'multipart/form-data; boundary=line' },
  } as RequestInit & { key: string });
  send?.enqueue(form.subarray(0, 40));
  const listed = await service.request('/v1/agents/runs', { key });
  expect(listed.status).toBe(200);
  for (const { keyId } of await listKeys(store, accountId)) await revokeKey(store, keyId);
  clock.advance(5_001);
  send?.enqueue(form.subarray(40));
  send?.close();
  expect((await answer).status).toBe(401);
  expect(provider.requests).toEqual([]);
  await eventually(async () => (await service.request('/v1/agents/runs', { key })).status).toBe(401);
});
