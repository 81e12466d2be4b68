import { packPassages, showPassages, splitPassages } from '@errand/passages';
import { silentLog } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { keptInMemory } from '../test-support/kept-in-memory.ts';
import type { ToolInput } from '../tool.ts';
import type { KeptMaterial } from './kept-material.ts';
import { createSourceReader, type Opened } from './read-source.ts';

const room = { wholeCharacters: 1_000, shownCharacters: 1_000 };
const packed = packPassages({ passages: splitPassages('The ferry leaves at six.') });

const input = (sources: ToolInput['sources'] = []): ToolInput => ({
  signal: new AbortController().signal,
  afterOutside: false,
  question: 'When?',
  sources,
  room,
  savedFiles: new Map(),
});

const cost = { kind: 'transcription' as const, model: 'ears', seconds: 6, amountNanoEuro: 600 };
const opened = (): Opened => ({
  kind: 'transcript',
  packed,
  shown: showPassages(packed, room),
  isOutside: true,
  costs: [cost],
});

/** A reader whose openings are answered one after the other. */
function makeReader(answers: (() => Promise<Opened>)[], material: KeptMaterial = keptInMemory()) {
  let openings = 0;
  const open = () => answers[Math.min(openings++, answers.length - 1)]!();
  const read = createSourceReader({ log: silentLog, material, opening: new Map(), open });
  return { read, openings: () => openings };
}

describe('a source that calls of one turn name', () => {
  test('is opened and charged once', async () => {
    const { read, openings } = makeReader([async () => opened()]);
    const answers = await Promise.all(
      ['https://x/a', 'https://x/a#b', 'https://x/a'].map((url) => read(url, {}, input())),
    );
    expect(openings()).toBe(1);
    expect(answers.flatMap(({ costs }) => costs ?? [])).toEqual([cost]);
    for (const { text } of answers) expect(text).toBe('The ferry leaves at six.');
  });

  test('is opened again by those that waited for an opening that has failed, once', async () => {
    const { read, openings } = makeReader([() => Promise.reject(new Error('gone')), async () => opened()]);
    const answers = await Promise.allSettled(
      Array.from({ length: 3 }, () => read('https://x/a', {}, input())),
    );
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(openings()).toBe(2);
  });
});

test('a source that cannot be kept is shown and charged, and opened again when it is read again', async () => {
  const broken = { keep: () => Promise.reject(new Error('no bucket')), read: async () => undefined };
  const { read, openings } = makeReader([async () => opened()], broken);
  const first = await read('https://x/a', {}, input());
  expect(first).toMatchObject({ text: 'The ferry leaves at six.', costs: [cost] });
  const [source] = first.cited?.sources ?? [];
  expect(source).toEqual({ kind: 'transcript', url: 'https://x/a' });
  await read('https://x/a', {}, input([{ number: 1, ...source! }]));
  expect(openings()).toBe(2);
});
