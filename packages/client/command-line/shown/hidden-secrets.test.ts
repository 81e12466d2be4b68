import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHiddenSecrets } from './hidden-secrets.ts';

const secret = 'sk-sk-a-key';

function hiding(...given: string[]) {
  const secrets = createHiddenSecrets();
  for (const each of given) secrets.hide(each);
  return secrets;
}

test.each(['\u200d', '\u200b', '\u00ad', '\u2060', '\ufe0f', '\u{e0041}'])(
  'a secret with an invisible character in its midst is not shown: %j',
  (character) => {
    const said = `It is ${secret.slice(0, 4)}${character}${secret.slice(4)}.`;
    expect(hiding(secret).without(said)).toBe('It is ***.');
  },
);

test('a text without secrets keeps its invisible characters', () => {
  const family = '\u{1f469}\u200d\u{1f467} sk-';
  expect(hiding(secret).without(family)).toBe(family);
});

describe('a text that comes in pieces', () => {
  const joined = (pieces: readonly string[]) => {
    const text = hiding(secret).inPieces();
    return pieces.map(text.next).join('') + text.rest();
  };

  test('shows all text but secrets, however the text is cut', () => {
    const part = fc.constantFrom('s', 'sk-', 'a-key', '-', '\u200d', '\u{e0041}', 'x', '\u{1f469}', secret);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isCutInCharacters) => {
        const whole = parts.join('');
        const said = joined(isCutInCharacters ? whole.split('') : parts);
        expect(said.replace(/[\u200d\u{e0041}]/gu, '')).not.toContain(secret);
        if (hiding(secret).without(whole) === whole) expect(said).toBe(whole);
      }),
      { numRuns: 500 },
    );
  });

  test('is shown if it has very many characters without width, most of which are dropped', () => {
    const text = hiding(secret).inPieces();
    const pieces = ['s', ...Array.from({ length: 3_000 }, () => '\u00ad'.repeat(20)), 'ome'];
    const said = pieces.map(text.next).join('') + text.rest();
    expect(said.replaceAll('\u00ad', '')).toBe('some');
    expect(said.length).toBeLessThan(5_000);
  });

  test('keeps back only what may be the beginning of a secret', () => {
    const text = hiding(secret).inPieces();
    expect([text.next('all is'), text.next(' told: sk'), text.next('y')]).toEqual([
      'all i',
      's told: ',
      'sky',
    ]);
    expect([text.next('sk-sk'), text.rest(), text.rest()]).toEqual(['', 'sk-sk', '']);
  });
});
