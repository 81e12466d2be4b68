import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packPassages } from '../pack/pack-passages.ts';
import { pack, report, show, split } from '../test-support/material.ts';
import { showPassages } from './show-passages.ts';

const whole = { wholeCharacters: 1_000_000, shownCharacters: 0 };

describe('a material that may be shown whole', () => {
  test('is shown exactly as it was, whatever the query', () => {
    const text = `\n\n${report(30)}\n\n\`\`\`\n${'code\n'.repeat(900)}\`\`\`\n\n| a |\n|---|\n${'| b |\n'.repeat(900)}`;
    const shown = showPassages(pack(text), { ...whole, query: 'harbour' });
    expect(shown.text).toBe(text);
    expect(shown).toMatchObject({ isWhole: true, characters: text.length, passages: split(text).length });
    expect(shown.shown).toEqual(split(text).map(({ number }) => number));
  });

  test('has at most as many characters as may be shown', () => {
    const text = report(5);
    const read = (wholeCharacters: number) => showPassages(pack(text), { ...whole, wholeCharacters }).isWhole;
    expect([read(text.length), read(text.length - 1)]).toEqual([true, false]);
  });

  test('keeps its title', () => {
    const packed = packPassages({ title: 'Tides', passages: split('words') });
    expect(showPassages(packed, whole)).toMatchObject({ title: 'Tides', text: 'words' });
  });
});

test('passages of any maker are packed, each with an empty line after it', () => {
  const passages = ['One.', 'Two.'].map((text, index) => ({ number: index + 1, headings: [], text }));
  expect(showPassages(packPassages({ passages }), whole).text).toBe('One.\n\nTwo.\n\n');
});

test('a material without text has no passages', () => {
  expect(show(' \n', { wholeCharacters: 10 })).toEqual({
    text: '',
    isWhole: true,
    shown: [],
    passages: 0,
    characters: 0,
  });
});

describe('a longer material', () => {
  test('is shown as its outline and the passages that fit the query best, in their order', () => {
    const text = `${report(40)}\n\nThe lighthouse burnt down.\n\n${report(40)}\n\nA lighthouse was built.`;
    const {
      text: seen,
      shown,
      isWhole,
    } = show(text, { query: 'Who built the lighthouse?', shownCharacters: 6_000 });
    expect(isWhole).toBe(false);
    expect(seen).toMatch(
      /^\[This material has 8\d passages \(\d+ characters\), more than can be shown at once\. These fit the query best\.\]/,
    );
    expect(seen).toMatch(
      /\n\[Outline \(\d+ of 80 headings\), with the passage in which each heading begins\]\n1: Chapter 1\n/,
    );
    expect(seen).toContain('The lighthouse burnt down.');
    expect(seen).toContain('A lighthouse was built.');
    expect(seen).toMatch(/\n\[To see other passages, give a query [^\n]+\]$/);
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
  });

  test('is searched by the fallback query if no query is given', () => {
    const text = `${report(40)}\n\nThe lighthouse burnt down.`;
    expect(show(text, { fallbackQuery: 'lighthouse' }).text).toContain('These fit the question best');
    expect(show(text, { fallbackQuery: 'lighthouse' }).shown).toEqual([40]);
    expect(show(text, { query: 'chapter 7', fallbackQuery: 'lighthouse' }).text).toContain('## Chapter 7\n');
  });

  test('names the headings and the place of each passage', () => {
    const text = `# Report\n\n${report(20)}`;
    const places = [{ start: text.indexOf('## Chapter 9'), name: 'page 41' }];
    const packed = packPassages({ passages: split(text, { places }) });
    const { text: seen } = showPassages(packed, {
      wholeCharacters: 0,
      shownCharacters: 5_000,
      query: 'chapter 9',
    });
    expect(seen).toContain('[Passage 9 of 20 | Report > Chapter 9 | page 41]\n## Chapter 9\n');
  });

  test('is shown from its beginning without a query; if nothing matches the query, a line says so', () => {
    expect(show(report(40)).shown.slice(0, 3)).toEqual([1, 2, 3]);
    expect(show(report(40)).text).toContain('These are the first.');
    const missed = show(report(40), { query: 'zeppelin' });
    expect(missed.text).toContain('No passage has a word of the query, so these are the first.');
    expect(missed.shown.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test('has an outline without its deepest headings, in a fifth of the characters', () => {
    const sections = Array.from({ length: 30 }, (_, index) => `## Part ${index}\n\n### Detail ${index}\n\nx`);
    const { text } = show(`# Top\n\n${sections.join('\n\n')}\n\n${report(10)}`, { shownCharacters: 4_000 });
    const outline = /\[Outline[\s\S]*?\n\n/.exec(text)?.[0] ?? '';
    expect(outline.length).toBeLessThanOrEqual(800);
    expect(outline).toContain('1: Top\n  1: Part 0\n');
    expect(outline).not.toContain('Detail');
  });

  test('of a million headings has an outline over all of it', () => {
    const text = Array.from({ length: 1_000_000 }, (_, index) => `# Heading ${index}`).join('\n');
    const { text: seen } = show(text, { shownCharacters: 4_000 });
    expect(seen).toMatch(/\[Outline \(\d+ of 1000000 headings\)/);
    expect(seen).toMatch(/\n\d{4,}: Heading [5-9]\d{5}\n/);
  });
});

describe('passages from a number on', () => {
  test('are shown as many as fit, with how to read on', () => {
    const { text, shown, isWhole } = show(report(40), { from: 7, shownCharacters: 4_000 });
    expect({ shown, isWhole }).toEqual({ shown: [7, 8, 9], isWhole: false });
    expect(text).toMatch(/^\[Passage 7 of 40 \| Chapter 7\]\n## Chapter 7\n/);
    expect(text).toMatch(/\n\n\[To read on, ask for the passages from 10 \(from: 10\)\. There are 40\.\]$/);
  });

  test('are shown also of a material that may be shown whole', () => {
    expect(show(report(3), { from: 2, wholeCharacters: 1_000_000 }).shown).toEqual([2, 3]);
  });

  test('end with a line that says so, and a number past the last passage is an error', () => {
    expect(show(report(40), { from: 40 }).text).toMatch(/\n\n\[This was the last of 40 passages\.\]$/);
    expect(show(report(40), { from: 41 })).toMatchObject({
      shown: [],
      text: '[There is no passage 41: this material has 40, numbered from 1.]',
    });
  });

  test('read one after the other show every passage once', () => {
    const seen: number[] = [];
    for (let from = 1; from <= 60; ) {
      const { shown } = show(report(60), { from, shownCharacters: 5_000 });
      seen.push(...shown);
      from = seen.at(-1)! + 1;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });
});

test('shown text is never longer than allowed, and never cuts a character in two', () => {
  const text = `# 😀\n\n${report(12)}\n\n${'😀'.repeat(3_000)}`;
  const packed = pack(text);
  fc.assert(
    fc.property(
      fc.nat(6_000),
      fc.option(fc.nat(30), { nil: undefined }),
      fc.constantFrom(undefined, '', 'harbour', 'zeppelin', '😀'),
      (shownCharacters, from, query) => {
        const asked = { from, query };
        const shown = showPassages(packed, { wholeCharacters: 0, shownCharacters, ...asked });
        expect(shown.text.length).toBeLessThanOrEqual(shownCharacters);
        expect(shown.text.isWellFormed()).toBe(true);
      },
    ),
  );
});
