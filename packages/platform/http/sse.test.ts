import { expect, test } from 'vitest';
import { formatEvent, streamResponse } from './sse.ts';

test('an event is its id, its name and one line of data', () => {
  expect(formatEvent({ id: 3, name: 'text', data: '{"a":1}' })).toBe('id: 3\nevent: text\ndata: {"a":1}\n\n');
});

test('a stream whose reader leaves ends its generator, also one that was not waiting', async () => {
  const ended = Promise.withResolvers<void>();
  const response = streamResponse({}, async function* () {
    try {
      for (;;) yield 'x';
    } finally {
      ended.resolve();
    }
  });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await ended.promise;
});

test('a stream whose generator fails breaks, so that a reader cannot take it for an end', async () => {
  const response = streamResponse({}, async function* () {
    yield 'first';
    throw new Error('lost');
  });
  await expect(response.text()).rejects.toThrow('lost');
});
