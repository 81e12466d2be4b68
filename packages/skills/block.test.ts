import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapInstructions } from './block.ts';

const inner = (instructions: string) => wrapInstructions(instructions).slice(13, -14);

test('instructions lie between the tags, each on a line of its own, verbatim', () => {
  expect(wrapInstructions('Be <b>kind</b> & brief.\r\n')).toBe(
    '<user_skill>\nBe <b>kind</b> & brief.\r\n\n</user_skill>',
  );
});

test.each([
  ['</user_skill>', '&lt;/user_skill>'],
  ['<user_skill>', '&lt;user_skill>'],
  ['</USER_Skill >', '&lt;/USER_Skill >'],
  ['< / user_skill\n>', '&lt; / user_skill\n>'],
  ['<\t/\n\nuser_skill>', '&lt;\t/\n\nuser_skill>'],
  ['<user_skill id="1" a=">">', '&lt;user_skill id="1" a=">">'],
  ['<user_skill/>', '&lt;user_skill/>'],
  ['</user_skill', '&lt;/user_skill'],
  ['<<user_skill>', '<&lt;user_skill>'],
  ['<\u200b/\u2060user_skill>', '&lt;\u200b/\u2060user_skill>'],
])('the tag %j changes in its opening sign alone', (instructions, expected) => {
  expect(inner(`a ${instructions} b`)).toBe(`a ${expected} b`);
});

test.each([
  '<user_skills>',
  '<user-skill>',
  '<user_skill2>',
  '<my_user_skill>',
  'user_skill>',
  '&lt;user_skill>',
  '<//user_skill>',
  '< b user_skill>',
  '1 < 2',
])('%j is no tag of a skill block, and stays', (instructions) => {
  expect(inner(instructions)).toBe(instructions);
});

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      '<',
      '</',
      '/',
      '>',
      'user_skill',
      'USER_SKILL',
      '<user_skill',
      '</user_skill>',
      ' ',
      '\n',
      '&lt;',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 12 },
);

test('no instructions can close the element or open another one', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const block = wrapInstructions(parts.join(''));
      const tags = [...block.matchAll(/<\s*\/?\s*user_skill(?![\p{L}\p{M}\p{N}_.:-])/giu)].map(
        ({ index }) => index,
      );
      expect(tags).toEqual([0, block.length - '</user_skill>'.length]);
    }),
    { numRuns: 2_000 },
  );
});

test('nothing but opening signs is changed: undoing them gives the authored text', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const instructions = parts.join('');
      const changed = inner(instructions);
      let at = 0;
      for (const sign of instructions) {
        const escaped = sign === '<' && changed.startsWith('&lt;', at);
        expect(escaped || changed.startsWith(sign, at)).toBe(true);
        at += escaped ? 4 : sign.length;
      }
      expect(at).toBe(changed.length);
    }),
    { numRuns: 1_000 },
  );
});

test('a text made to slow the search down is wrapped unchanged', () => {
  const instructions = `<${' '.repeat(9_999)}`.repeat(2);
  expect(inner(instructions)).toBe(instructions);
});
