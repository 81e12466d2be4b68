import { expect, test } from 'vitest';
import { readDocument } from './index.ts';
import { readFixture } from './test-support/fixtures.ts';
import { makePdf } from './test-support/pdf-file.ts';

async function passagesOf(bytes: Uint8Array, extension: string, from = 1): Promise<string> {
  const reading = { wholeCharacters: 0, shownCharacters: 20_000, from };
  return (await readDocument({}, { bytes, extension, reading })).shown.text;
}

test.each([
  ['office.pdf', '.pdf', 'page 1'],
  ['office.pptx', '.pptx', 'slide 1 to slide 3'],
  ['office.odp', '.odp', 'slide 1 to slide 3'],
  ['office.xlsx', '.xlsx', 'sheet Berths to sheet Cranes & tugs'],
  ['office.ods', '.ods', 'sheet Berths to sheet Cranes & tugs'],
])('the passage of %s says where it is in the original', async (name, extension, place) => {
  expect(await passagesOf(readFixture(name), extension)).toMatch(
    new RegExp(`^\\[Passage 1 of 1 \\|.* ${place}\\]\\n`),
  );
});

test('the passages of a long PDF are those of its pages', async () => {
  const pages = [1, 2, 3].map((page) =>
    Array.from({ length: 40 }, (_, line) => `Line ${line} of page ${page} has words`),
  );
  const text = await passagesOf(makePdf(pages), '.pdf');
  for (const [, place, passage] of text.matchAll(/\[Passage \d+ of \d+ \| page (\d)\]\n([^[]+)/g))
    expect(new Set(passage?.match(/(?<=of page )\d/g))).toEqual(new Set([place]));
  expect(text.match(/\| page \d\]/g)?.length).toBe(3);
});

test('each passage of a very large file of rows has the names of its columns', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `${index};value ${index}`);
  const text = await passagesOf(new TextEncoder().encode(`id;what\n${rows.join('\n')}`), '.csv', 1_000);
  expect(text).toMatch(/^\[Passage 1000 of \d+\]\nid;what\n\d+;value \d+\n/);
});
