import { readDocument } from '@errand/documents';
import { findPassages, packPassages, readPassages, splitPassages } from '@errand/passages';
import { expect, test } from 'vitest';
import { longestTurn } from '../support/longest-turn.ts';

const megabyte = 1_000_000;
/** Copies of the bytes for the thread are a part of it. */
const longestMilliseconds = 100;
const needle = 'The lighthouse keeper counted exactly 417 herons on the breakwater.';
const reading = { wholeCharacters: 40_000, shownCharacters: 40_000 };

const words = 'harbour report delivery contract vessel cargo crane dock tide winter engine fuel'.split(' ');

/** Paragraphs of words in ever another order, with a sentence after each of these shares of them. */
function material(
  characters: number,
  hidden: readonly (readonly [share: number, sentence: string])[],
): string {
  const parts: string[] = [];
  const left = [...hidden];
  let length = 0;
  for (let index = 0; length < characters; index++) {
    if (left[0] && length > characters * left[0][0]) parts.push(left.shift()![1]);
    const part = Array.from(
      { length: 150 },
      (_, at) => words[(index * 7 + at * (1 + (index % 11))) % words.length],
    );
    parts.push(`${index % 20 === 0 ? `## Section ${index}\n\n` : ''}${part.join(' ')} ${index}.`);
    length += parts.at(-1)!.length + 2;
  }
  return parts.join('\n\n');
}

test('a sentence in 30 MB is found, by a query and as the proof of a claim, and the event loop stays free', async () => {
  const packed = packPassages({ passages: splitPassages(material(30 * megabyte, [[0.93, needle]])) });
  expect(packed.byteLength).toBeLessThan(15 * megabyte);
  const longest = await longestTurn(async () => {
    const shown = await readPassages({}, packed, {
      ...reading,
      query: 'How many herons did the keeper count?',
    });
    expect(shown.text).toContain(needle);
    const claims = ['417 herons were counted at the lighthouse', 'A zeppelin landed'];
    const { nearest, shown: stands } = await findPassages({}, packed, {
      claims,
      shown: { numbers: shown.shown, characters: 1_000 },
    });
    const [found, none] = nearest;
    expect(found?.text).toContain(needle);
    expect(found?.headings).toEqual([expect.stringMatching(/^Section \d+$/)]);
    expect(none).toBeUndefined();
    expect(stands).toHaveLength(1_000);
    expect(shown.text).toContain(stands);
  });
  expect(longest).toBeLessThan(longestMilliseconds);
});

test('a document of 50 MB is read to its end: sentences at its beginning, middle and end are found', async () => {
  const birds = ['herons', 'ospreys', 'puffins'];
  const sentenceOf = (bird: string) => needle.replace('herons', bird);
  const hidden = birds.map((bird, i) => [[0.02, 0.5, 0.99][i]!, sentenceOf(bird)] as const);
  const bytes = new TextEncoder().encode(material(49 * megabyte, hidden));
  const { byteLength } = bytes;
  // A busy machine takes longer than a document may.
  const patient = { limits: { timeoutMilliseconds: 600_000 } };
  const query = `exactly 417 ${birds.join(' ')} on the breakwater`;
  const longest = await longestTurn(async () => {
    const { shown, packed } = await readDocument(patient, {
      bytes,
      extension: '.txt',
      reading: { ...reading, query },
    });
    for (const bird of birds) expect(shown.text).toContain(sentenceOf(bird));
    expect(shown.characters).toBe(byteLength);
    expect(shown.text.length).toBeLessThanOrEqual(reading.shownCharacters);
    expect(packed.byteLength).toBeLessThan(byteLength / 2);
  });
  expect(longest).toBeLessThan(longestMilliseconds);
});

test('two passages at different ends of 25 MB are ranked by their words, not by their places', async () => {
  const text = material(25 * megabyte, [[0.04, needle]]);
  const both = `${text}\n\n## Last\n\nThe keeper of the lighthouse saw a heron.`;
  const packed = packPassages({ passages: splitPassages(both) });
  const best = async (query: string) =>
    (await readPassages({}, packed, { wholeCharacters: 0, shownCharacters: 3_000, query })).text;
  expect(await best('exactly 417 herons on the breakwater')).toContain(needle);
  expect(await best('the keeper saw a heron')).toContain('saw a heron');
});

test('packed passages stay usable after a thread has read them', async () => {
  const packed = packPassages({ passages: splitPassages('words') });
  await readPassages({}, packed, reading);
  expect((await readPassages({}, packed, reading)).text).toBe('words');
});
