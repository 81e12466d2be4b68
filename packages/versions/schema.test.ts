import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCharacters } from './schema.ts';

test('characters are code points, and a lone surrogate is one too', () => {
  const units = fc.string({ unit: fc.constantFrom('a', '🙂', '\ud83d', '\ude42', 'é'), maxLength: 30 });
  fc.assert(
    fc.property(units, (text) => {
      expect(countCharacters(text)).toBe([...text].length);
    }),
  );
});
