import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { split } from '../test-support/material.ts';
import { sizes } from './sizes.ts';

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.lorem({ maxCount: 40, mode: 'sentences' }),
  fc.constantFrom('', '# One', '### Three', '- item', '1. first', '| a | b |', '| --- | --- |', '| 1 | 2 |'),
  fc.constantFrom(
    '```',
    '````js',
    '~~~',
    '[00:12:33] Speaker 1: yes',
    '    ',
    '中文'.repeat(900),
    '😀'.repeat(1_500),
  ),
);
const material = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));

const paragraph = (words: string, count: number) => `${words} `.repeat(count).trim();

describe('the passages of any text', () => {
  test('are the text, when their sources are joined', () => {
    fc.assert(
      fc.property(material, (text) => {
        const joined = split(text)
          .map(({ source }) => source)
          .join('');
        expect(joined).toBe(text.trim() === '' ? '' : text);
      }),
    );
  });

  test('have all of its words in order, with some repeated', () => {
    fc.assert(
      fc.property(material, (text) => {
        for (const passage of split(text)) expect(passage.text).toContain(passage.source!.trim());
      }),
    );
  });

  test('are numbered without a gap, have text, and are within the bound', () => {
    fc.assert(
      fc.property(material, (text) => {
        const passages = split(text);
        expect(passages.map(({ number }) => number)).toEqual(passages.map((_, index) => index + 1));
        for (const passage of passages) {
          expect(passage.text.length).toBeLessThanOrEqual(sizes.most);
          expect(passage.text.trim()).not.toBe('');
        }
      }),
    );
  });

  test('never cut a character in two', () => {
    fc.assert(
      fc.property(material, (text) => {
        for (const { text: own, headings } of split(text)) {
          if (text.isWellFormed()) expect(own.isWellFormed()).toBe(true);
          for (const title of headings) expect(title.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('a passage ends', () => {
  test('before a heading', () => {
    const texts = split(`# One\n\n${paragraph('first', 150)}\n\n## Two\n\n${paragraph('second', 150)}`);
    expect(texts.map(({ text }) => text.slice(0, 6))).toEqual(['# One\n', '## Two']);
  });

  test('at a paragraph, rather than within one', () => {
    const texts = split([paragraph('one', 150), paragraph('two', 150), paragraph('six', 250)].join('\n\n'));
    expect(texts.map(({ text }) => text.split(' ').at(-1))).toEqual(['two', 'six']);
  });

  test('at the end of a sentence if there is no paragraph', () => {
    const text = Array.from({ length: 100 }, (_, index) => `This is sentence number ${index}.`).join(' ');
    for (const passage of split(text)) expect(passage.text.trim()).toMatch(/^This .*\.$/);
  });

  test('between the items of a list', () => {
    const items = Array.from({ length: 60 }, (_, index) => `- item ${index} ${paragraph('words', 12)}`);
    for (const { text } of split(items.join('\n'))) expect(text).toMatch(/^- item \d+ .*words$/s);
  });

  test('at last between two characters', () => {
    expect(split('x'.repeat(7_000)).every(({ text }) => text.length <= sizes.most)).toBe(true);
    expect(split('中'.repeat(7_000)).length).toBeLessThan(10);
  });
});

test('short sections share a passage, which has the headings of its first', () => {
  const sections = Array.from({ length: 40 }, (_, index) => `### Section ${index}\n\nShort.`);
  const passages = split(`# Whole\n\n${sections.join('\n\n')}`);
  expect(passages.length).toBeLessThan(5);
  expect(passages[0]?.headings).toEqual(['Whole']);
  expect(passages[1]?.headings).toEqual(['Whole', expect.stringMatching(/^Section \d+$/)]);
  expect(passages.flatMap(({ begins = [] }) => begins)).toHaveLength(41);
});

test('a passage has the headings above it, in plain words and a bounded length', () => {
  const text = `# **Report** of [the port](https://a.test) ##\n\n## ${'x'.repeat(500)}\n\n${paragraph('words', 400)}`;
  expect(split(text).at(-1)?.headings).toEqual(['Report of the port', `${'x'.repeat(79)}…`]);
});

test('every passage of a table begins with its heading', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `| row ${index} | ${'value '.repeat(5)}|`);
  const [first, ...rest] = split(`Before.\n\n| Name | Value |\n| --- | --- |\n${rows.join('\n')}\n\nAfter.`);
  expect(first?.text).toMatch(/^Before\.\n\n\| Name/);
  expect(rest.length).toBeGreaterThan(3);
  for (const { text } of rest) expect(text).toMatch(/^\| Name \| Value \|\n\| --- \| --- \|\n\| row \d+ \|/);
  expect(rest.at(-1)?.text).toMatch(/After\.$/);
});

test('the rows of a long file are read with the names of its columns', () => {
  const rows = Array.from({ length: 400 }, (_, index) => `${index},value`);
  const passages = split(`id,what\n${rows.join('\n')}`, { heading: 'id,what' });
  for (const { text } of passages) expect(text).toMatch(/^id,what\n\d+,value/);
});

test('a part of code opens and closes as code', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `const value${index} = compute(${index});`);
  const passages = split(`\`\`\`ts\n${lines.join('\n')}\n# no heading\n\`\`\``);
  expect(passages.length).toBeGreaterThan(3);
  for (const { text } of passages) expect(text).toMatch(/^```ts\n[\s\S]*\n```$/);
  expect(passages.flatMap(({ begins = [] }) => begins)).toEqual([]);
});

describe('the place of a passage', () => {
  const pages = [paragraph('one', 180), paragraph('two', 180), 'short', paragraph('four', 180)];
  const text = pages.join('\n\n');
  const places = pages.map((page, index) => ({ start: text.indexOf(page), name: `page ${index + 1}` }));

  test('is the page on which it is, and a long page ends a passage', () => {
    expect(split(text, { places }).map(({ place }) => place)).toEqual([
      'page 1',
      'page 2',
      'page 3 to page 4',
    ]);
  });

  test('is the time at which its part of a transcript begins', () => {
    const lines = Array.from({ length: 90 }, (_, minute) => {
      const time = `00:${String(minute % 60).padStart(2, '0')}:33`;
      return `[${time}] Speaker ${minute % 2}: ${paragraph('words', 6)}`;
    });
    const passages = split(`Duration: 01:30:00\nDetected language: en\n\n${lines.join('\n')}`);
    expect(passages.length).toBeGreaterThan(3);
    expect(passages[0]?.place).toBe('00:00:33');
    for (const passage of passages.slice(1)) expect(passage.text.startsWith(`[${passage.place}]`)).toBe(true);
  });

  test('is undefined in a text without places', () => {
    expect(split('words')[0]!.place).toBeUndefined();
  });
});

describe('cutting a text into passages takes linear time', () => {
  test.each<[string, (length: number) => string]>([
    ['one line', (length) => 'x'.repeat(length)],
    ['blanks', (length) => `x${' '.repeat(length)}x`],
    ['empty lines', (length) => `x${'\n'.repeat(length)}x`],
    ['lines of one sign', (length) => 'x\n'.repeat(length / 2)],
    ['headings', (length) => '# a\n'.repeat(length / 4)],
    ['headings of every level', (length) => '# a\n###### b\n'.repeat(length / 13)],
    ['fences', (length) => '```\n'.repeat(length / 4)],
    ['a fence of its own length', (length) => '`'.repeat(length)],
    ['dividers', (length) => '|-\n'.repeat(length / 3)],
    ['tables of one row', (length) => '|a\n|-\n\n'.repeat(length / 7)],
    ['a wide row and dividers', (length) => `|${'a'.repeat(length / 2)}\n${'|-\n'.repeat(length / 6)}`],
    ['signs that end sentences', (length) => '."'.repeat(length / 2)],
    ['blanks in front of items', (length) => `${' '.repeat(59)}x\n`.repeat(length / 61)],
    ['links in headings', (length) => `# ${'[a]('.repeat(length / 4)}\n`],
    ['halves of characters', (length) => '\ud800'.repeat(length)],
  ])('%s', async (_, make) => {
    await expectLinear(make, (text) => split(text).length, 800_000);
  });
});
