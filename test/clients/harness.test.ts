import { get } from 'node:http';
import { expect, test } from 'vitest';
import { expectFailure } from './support/expect-failure.ts';
import { watchHosts } from './support/watch-hosts.ts';

test('what is declared to fail must fail, and in the declared way', async () => {
  const refused = () => Promise.reject(Object.assign(new Error('refused'), { status: 404 }));
  await expectFailure(refused, { status: 404 });
  await expect(expectFailure(refused, { status: 500 })).rejects.toThrow();
  await expect(expectFailure(async () => {}, { status: 404 })).rejects.toThrow('This works now');
});

test('a host that is asked by fetch or by Node’s own client is noted', async () => {
  const watch = watchHosts();
  await expect(fetch('http://127.0.0.2:8/')).rejects.toThrow();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  get('http://127.0.0.3:8/').on('error', resolve);
  await promise;
  watch.stop();
  expect([...watch.hosts]).toEqual(['127.0.0.2', '127.0.0.3']);
});
