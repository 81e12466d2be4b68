import { limits } from '@errand/platform';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader } from './read-events.ts';

function readAll(packets: Buffer[]): string[] {
  const events: string[] = [];
  const reader = createEventReader((data) => void events.push(data));
  for (const packet of packets) expect(reader.push(packet)).toBe(true);
  reader.end();
  return events;
}

function readAtOnce(text: string): string[] {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  parser.feed(text);
  return events;
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  fc.constantFrom(
    '',
    '',
    ': comment',
    'data',
    'data:',
    'data:x',
    'id: 1',
    'event: y',
    'retry: 5',
    'datax: 1',
  ),
);
const stream = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 30 })
  .map((lines) => `${lines.flat().join('')}\n\n`);

test('wherever the network cuts lines and characters, the events are the same', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(500), { maxLength: 20 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const packets = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      expect(readAll(packets)).toEqual(readAtOnce(text));
    }),
    { numRuns: 500 },
  );
});

test('a byte order mark is no part of the first line', () => {
  const bytes = Buffer.from('\ufeffdata: x\n\n');
  expect(readAll([bytes])).toEqual(['x']);
  expect(readAll([...bytes].map((byte) => Buffer.from([byte])))).toEqual(['x']);
});

test('an event without an end is reported at once', () => {
  const reader = createEventReader(() => expect.unreachable());
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  let pushed = 0;
  while (pushed < 100 && reader.push(megabyte)) pushed++;
  expect(pushed).toBe(limits.streamEventCharacters / megabyte.length);
  expect(reader.push(megabyte)).toBe(false);
  reader.end();
});

test('only the event that is named an error is reported as an error', () => {
  const seen: [string, boolean][] = [];
  const reader = createEventReader((data, isError) => void seen.push([data, isError]));
  reader.push(
    Buffer.from('event: error\ndata: {"message":"boom"}\n\nevent: chunk\ndata: {}\n\ndata: {}\n\n'),
  );
  expect(seen).toEqual([
    ['{"message":"boom"}', true],
    ['{}', false],
    ['{}', false],
  ]);
});
