import { isDomainError } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SkillDetail } from './skill.ts';
import { formatSkillMarkdown, parseSkillMarkdown } from './skill-markdown.ts';

const detail = (fields: Pick<SkillDetail, 'name' | 'description' | 'instructions'>): SkillDetail => ({
  id: 'skill_1',
  enabled: true,
  scope: 'user',
  version: 1,
  createdAt: '',
  updatedAt: '',
  ...fields,
});

test('a formatted skill is parsed to the same name, description and instructions, to the byte', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('-', '---', '\n', '\r\n', ' ', ':', '#', '"', "'", '>', '|', '\t', 'a', '\u2028'),
      maxLength: 20,
    }),
  );
  const name = fc.stringMatching(/^[A-Za-z0-9][\w-]{0,20}$/);
  fc.assert(
    fc.property(name, text, text, (name, description, instructions) => {
      const skill = { name, description, instructions };
      expect(parseSkillMarkdown(formatSkillMarkdown(detail(skill)))).toEqual(skill);
    }),
    { numRuns: 2_000 },
  );
});

test('a file is readable as others write them', () => {
  expect(
    formatSkillMarkdown(detail({ name: '12', description: 'When: asked', instructions: '# Do\n' })),
  ).toBe('---\nname: "12"\ndescription: "When: asked"\n---\n\n# Do\n');
  expect(parseSkillMarkdown('---  \r\nname: a\r\n---\r\n\r\nx\r\n')).toEqual({
    name: 'a',
    instructions: 'x\r\n',
  });
});

test('keys that mean something to JavaScript are keys like any other', () => {
  const file = '---\n__proto__: {name: b}\nconstructor: c\nname: a\n---\nx';
  expect(parseSkillMarkdown(file)).toEqual({ name: 'a', instructions: 'x' });
  expect(parseSkillMarkdown('---\n__proto__: {name: b}\n---\nx')).toEqual({ instructions: 'x' });
});

test('any text is either parsed or refused with `invalid_request`', () => {
  const unit = fc.constantFrom(
    '---\n',
    '\n',
    'a',
    ': ',
    '- ',
    '[',
    '{',
    '&a ',
    '*a',
    '!!js ',
    '"',
    "'",
    '|',
    '>',
    '%',
    '? ',
    '<<: ',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      try {
        parseSkillMarkdown(`---\n${text}\n---\nx`);
      } catch (error) {
        expect(isDomainError(error, 'invalid_request')).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});
