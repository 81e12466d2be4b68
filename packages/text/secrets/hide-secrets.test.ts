import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorizationSecrets, hideSecrets, wordPattern } from './hide-secrets.ts';

describe('a secret is taken out of any text', () => {
  const secret = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/=:~ "\\€'),
    minLength: 8,
    maxLength: 48,
  });
  const percent = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  /** The digits of a text behind so many other bytes that say nothing of what stands around it. */
  const insideBase64 = (before: number, text: string) => {
    const bytes = Buffer.from(`${'?'.repeat(before)}${text}`);
    return bytes.toString('base64').slice(before + 1, Math.floor((bytes.length * 4) / 3));
  };
  const around = fc.string({ unit: 'grapheme', maxLength: 30 });
  const spellings: Record<string, (text: string) => string> = {
    'as it is': (text) => text,
    'in lower case': (text) => text.toLowerCase(),
    'in upper case': (text) => text.toUpperCase(),
    'as JSON': (text) => JSON.stringify(text).slice(1, -1),
    'URL-encoded': encodeURIComponent,
    'in base64': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
    'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
    'in base64 behind a byte': (text) => insideBase64(1, text),
    'in base64 behind two bytes': (text) => insideBase64(2, text),
    'in hex': (text) => Buffer.from(text).toString('hex'),
    'percent-encoded throughout': percent,
    'with some of it percent-encoded': (text) => text.slice(0, 3) + percent(text.slice(3)),
    'in escapes of JSON': (text) =>
      [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  };

  test.each(Object.entries(spellings))('%s', (_, spell) => {
    fc.assert(
      fc.property(secret, around, around, (text, before, after) => {
        const spelled = spell(text);
        const shown = hideSecrets([text, 'another-secret'], '#')(before + spelled + after);
        expect(shown.toLowerCase()).not.toContain(spelled.toLowerCase());
        expect(shown).toContain('#');
      }),
      { numRuns: 200 },
    );
  });

  test.each(Object.entries(spellings))('%s, if it is longer than what it is found by', (_, spell) => {
    const long = Array.from({ length: 50 }, (_, i) => `Part-${i}."\\`).join('');
    const hide = hideSecrets([long], '#', 0);
    expect(hide(`before ${spell(long)}`)).toBe('before #');
  });

  test('a row of backslashes is searched in a time that one can wait for', () => {
    const hide = hideSecrets(['\\'.repeat(100)], '#', 0);
    const almost = `${'\\'.repeat(60)}x`.repeat(1_000);
    expect(hide(almost)).toBe(almost);
    expect(hide(`${almost}${'\\'.repeat(100)}`)).toBe(`${almost}#`);
  });

  test('other text stays', () => {
    const hide = hideSecrets(['the-secret', 'secret', 'of', ''], '[removed]');
    expect(hide('The-Secret-2 of secrets is secret.')).toBe('[removed]-2 of secrets is [removed].');
    expect(hideSecrets([], '[removed]')('All\nof it.$')).toBe('All\nof it.$');
  });
});

test('the secrets of an authorization are the whole value, its token, and the login that a Basic one holds', () => {
  expect(authorizationSecrets('just-a-token')).toEqual(['just-a-token']);
  expect(authorizationSecrets('Bearer two words')).toEqual(['Bearer two words', 'two words']);
  const basic = Buffer.from('ann:open sesame').toString('base64');
  expect(authorizationSecrets(`Basic ${basic}`)).toEqual([
    `Basic ${basic}`,
    basic,
    'ann:open sesame',
    'open sesame',
  ]);
});

test('a word is found with what may follow it, whatever its case, and within no longer word', () => {
  const found = 'At host-1:8000 and HOST-1, not at host-10, my-host-1 or host-1.example'.match(
    wordPattern(['host-1'], '(?::\\d+)?'),
  );
  expect(found).toEqual(['host-1:8000', 'HOST-1']);
});
