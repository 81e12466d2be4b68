import { packPassages, showPassages, splitPassages } from '@errand/passages';
import { silentLog } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { createPurse } from '../../../test/support/purse.ts';
import { paidCalls } from '../paid-calls.ts';
import { keptInMemory } from '../test-support/kept-in-memory.ts';
import type { ToolInput } from '../tool.ts';
import type { KeptMaterial } from './kept-material.ts';
import { createSourceReader, noReads, type Opened } from './read-source.ts';

const room = { wholeCharacters: 1_000, shownCharacters: 1_000 };
const packed = packPassages({ passages: splitPassages('The ferry leaves at six.') });

const input = (sources: ToolInput['sources'] = []): ToolInput => ({
  signal: new AbortController().signal,
  afterOutside: false,
  callKey: '1-1-0',
  question: 'When?',
  sources,
  room,
  savedFiles: new Map(),
  savedOutside: new Set(),
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
  const read = createSourceReader({ log: silentLog, material, reads: noReads(), open });
  return { read, openings: () => openings };
}

describe('a source that calls of one turn name', () => {
  test('is opened once, whether they come at the same time or one after the other', async () => {
    const { read, openings } = makeReader([async () => opened()]);
    const answers = await Promise.all(
      ['https://x/a', 'https://x/a#b', 'https://x/a'].map((url) => read(url, {}, input())),
    );
    answers.push(await read('https://x/a', {}, input()));
    expect(openings()).toBe(1);
    for (const { text } of answers) expect(text).toBe('The ferry leaves at six.');
  });

  test('is charged by the first of their answers that is committed, and by no other', async () => {
    const purse = createPurse();
    const calls = paidCalls(purse);
    const bound = { mostNanoEuro: 900, within: async () => 900 };
    const { signal } = new AbortController();
    const asked = { bound, known: async () => undefined, signal };
    const made = await calls.make(asked, async () => ({ cost }));
    const { read } = makeReader([async () => ({ ...opened(), costs: [made!.cost] })]);
    const answers = await Promise.all(['https://x/a', 'https://x/a'].map((url) => read(url, {}, input())));
    const [last, first] = answers;
    const place = { step: 1, completions: 1 };
    expect(await calls.toCosts(place, 'tool-1-1', first?.costs ?? [])).toMatchObject([cost]);
    expect(await calls.toCosts(place, 'tool-1-0', last?.costs ?? [])).toEqual([]);
    expect(purse).toMatchObject({ spentNanoEuro: 600, heldNanoEuro: 0 });
  });

  test('is opened again, once, by the calls that waited for a failed opening', async () => {
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
  expect(source).toEqual({ kind: 'transcript', url: 'https://x/a', shown: [1] });
  await read('https://x/a', {}, input([{ number: 1, ...source! }]));
  expect(openings()).toBe(2);
});
