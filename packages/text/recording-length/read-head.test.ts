import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { readHead } from './read-head.ts';
import { syncSafe } from './test-support/recordings.ts';

const packet = Buffer.alloc(64 * 1024, 'sound ');
const packets = (count: number) => Readable.from(Array.from({ length: count }, () => packet));

test('the body is the whole stream, though its head was read', async () => {
  const { head, isWhole, body } = await readHead(packets(20));
  expect(head.length).toBe(limits.recordingPartBytes);
  expect(isWhole).toBe(false);
  expect(await buffer(body)).toEqual(await buffer(packets(20)));
});

test.each([0, 1, 3])('a stream of %i packets is whole in its head', async (count) => {
  const { head, isWhole, body } = await readHead(packets(count));
  expect({ bytes: head.length, isWhole }).toEqual({ bytes: count * packet.length, isWhole: true });
  expect(await buffer(body)).toEqual(head);
});

test('a tag with a picture is read past, up to its limit', async () => {
  const start = Array.from('ID3\x04\0\0', (letter) => Buffer.from(letter));
  const tagged = (bytes: number) => Readable.from([...start, syncSafe(bytes), ...Array(60).fill(packet)]);
  const { recordingPartBytes, recordingTagBytes } = limits;
  const picture = await readHead(tagged(1_000_000));
  expect(picture.head.length).toBeGreaterThanOrEqual(1_000_000 + recordingPartBytes);
  const huge = await readHead(tagged(200_000_000));
  expect(huge.head.length).toBeLessThan(recordingTagBytes + recordingPartBytes + 2 * packet.length);
});

test('a stream that breaks off gives what came, then its error', async () => {
  async function* broken() {
    yield packet;
    throw new Error('The host is gone.');
  }
  const { head, isWhole, body } = await readHead(Readable.from(broken()));
  expect({ bytes: head.length, isWhole }).toEqual({ bytes: packet.length, isWhole: false });
  const read: number[] = [];
  await expect(
    (async () => {
      for await (const part of body) read.push(part.length);
    })(),
  ).rejects.toThrow('The host is gone.');
  expect(read).toEqual([packet.length]);
});

test.each([false, true])(
  'a body that is destroyed closes its stream, which hangs in a read: %s',
  async (hangs) => {
    const stream = new PassThrough();
    stream.write(Buffer.alloc(limits.recordingPartBytes));
    const { body } = await readHead(stream);
    if (hangs) {
      body.resume();
      await new Promise(setImmediate);
    }
    const closed = new Promise((resolve) => void stream.once('close', resolve));
    body.destroy();
    await closed;
    expect(stream.destroyed).toBe(true);
  },
);
