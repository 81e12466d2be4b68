import { isDomainError, limits } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateNewSkill, validateSkillPatch } from './schema.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (isDomainError(error, 'invalid_request')) return error.details.issues;
    if (isDomainError(error, 'instructions_too_long')) return error.details;
    throw error;
  }
  return undefined;
}

test('a name is accepted exactly if it begins with a letter or digit and goes on with those, - and _', () => {
  const unit = fc.constantFrom('a', 'Z', '0', '-', '_', ' ', '.', 'é', '🙂', '\n', '/');
  const names = fc.oneof(
    fc.string({ unit, maxLength: 70 }),
    fc.stringMatching(/^[A-Za-z0-9][\w-]{0,70}$/),
    anyText,
  );
  fc.assert(
    fc.property(names, (name) => {
      const characters = [...name];
      const allowed =
        characters.length <= limits.skillNameCharacters &&
        /[A-Za-z0-9]/.test(characters[0] ?? '') &&
        characters.every((character) => /[A-Za-z0-9_-]/.test(character));
      expect(refusalOf(() => validateNewSkill({ name, instructions: 'x' })) === undefined).toBe(allowed);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['description', limits.skillDescriptionCharacters],
  ['instructions', limits.skillInstructionsCharacters],
])('%s may have its limit of code points, of whatever width, and not one more', (field, limit) => {
  fc.assert(
    fc.property(fc.constantFrom('a', 'é', '漢', '🙂'), fc.integer({ min: -3, max: 3 }), (unit, more) => {
      const length = limit + more;
      const body = { name: 'n', instructions: 'x', [field]: unit.repeat(length) };
      const accepted = refusalOf(() => validateNewSkill(body)) === undefined;
      expect(accepted).toBe(length <= limit);
    }),
  );
});

test('too long instructions are refused with their length, whatever else is wrong, in creations and patches', () => {
  const limit = limits.skillInstructionsCharacters;
  const expected = { limit, actual: limit + 1 };
  const body = { name: '', enabled: 5, instructions: '\ud800'.repeat(expected.actual) };
  expect(refusalOf(() => validateNewSkill(body))).toEqual(expected);
  expect(refusalOf(() => validateSkillPatch(body))).toEqual(expected);
});

test('text is accepted exactly if it is well-formed', () => {
  const units = fc.string({
    unit: fc.constantFrom('a', '🙂', '\ud83d', '\ude42'),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(units, (text) => {
      const accepted =
        refusalOf(() => validateSkillPatch({ description: text, instructions: text })) === undefined;
      expect(accepted).toBe(text.isWellFormed());
    }),
  );
});

test('any JSON value is either refused by validation or valid with the known fields alone', () => {
  const fields = fc.record(
    {
      name: fc.jsonValue(),
      description: fc.jsonValue(),
      instructions: fc.jsonValue(),
      enabled: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const known = ['name', 'description', 'instructions', 'enabled'];
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fields), (body) => {
      for (const validate of [validateNewSkill, validateSkillPatch])
        refusalOf(() => expect(known).toEqual(expect.arrayContaining(Object.keys(validate(body)))));
    }),
  );
});
