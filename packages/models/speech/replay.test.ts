import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { replayable } from './replay.ts';

const textOf = async (stream: Readable | undefined) =>
  Buffer.concat((await stream?.toArray()) ?? []).toString();

test('every reader gets everything, also when the one before was given up in the middle', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* slow() {
    yield Buffer.from('a');
    await gates[0]?.promise;
    yield Buffer.from('b');
    await gates[1]?.promise;
    yield Buffer.from('c');
  }
  const open = replayable(Readable.from(slow()), 10);
  const first = open();
  const parts = first?.iterator();
  expect(String((await parts?.next())?.value)).toBe('a');
  first?.destroy();
  const second = textOf(open());
  gates[0]?.resolve();
  gates[1]?.resolve();
  expect(await second).toBe('abc');
  expect(await textOf(open())).toBe('abc');
});

test('what outgrows the limit is read once, to its end', async () => {
  const open = replayable(Readable.from([Buffer.from('abc'), Buffer.from('def'), Buffer.from('ghi')]), 5);
  expect(await textOf(open())).toBe('abcdefghi');
  expect(open()).toBeUndefined();
});

test('a source that breaks, breaks its reader', async () => {
  async function* broken() {
    yield Buffer.from('a');
    throw new Error('source broke');
  }
  await expect(textOf(replayable(Readable.from(broken()), 10)())).rejects.toThrow('source broke');
});
