import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanWords } from './clean-words.ts';

describe('no configured secret survives', () => {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/=:~'];
  const secret = fc
    .string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 48 })
    .filter((text) => text.replace(/[^A-Za-z0-9]/g, '').length >= 8);
  const lettersAndDigits = alphabet.filter((sign) => /[A-Za-z0-9]/.test(sign));
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const clean = (text: string, key: string) =>
    cleanWords(text, { hidden: { secrets: [key], hosts: [] }, model: { id: 'writer', names: ['big'] } });
  const expectNoWindow = (words = '', key: string) => {
    for (let at = 0; at + 10 <= bare(key).length; at++)
      expect(bare(words)).not.toContain(bare(key).slice(at, at + 10));
  };
  const around = fc.string({ unit: 'binary', maxLength: 30 });
  const escaped = (text: string) =>
    [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const disguises: Record<string, (text: string, n: number) => string> = {
    'as it is': (text) => text,
    'in lower case': (text) => text.toLowerCase(),
    'in upper case': (text) => text.toUpperCase(),
    'as JSON': (text) => JSON.stringify(text),
    'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
    'in escapes of JSON': escaped,
    'with one escape of JSON': (text, n) => {
      const at = n % text.length;
      return text.slice(0, at) + escaped(text[at]!) + text.slice(at + 1);
    },
    'URL-encoded': encodeURIComponent,
    'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
    'with every letter URL-encoded': (text) =>
      [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    'in entities': (text) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64 within more': (text, n) => Buffer.from(`${'u'.repeat(n % 7)}:${text}@host`).toString('base64'),
    'in base64url': (text) => Buffer.from(text).toString('base64url'),
    'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
    'over two lines': (text, n) => `${text.slice(0, n % text.length)}\n${text.slice(n % text.length)}`,
    'with what is not seen': (text) => [...text].join('\u200b'),
  };

  test.each(Object.keys(disguises))('%s', (name) => {
    fc.assert(
      fc.property(secret, fc.nat(60), around, around, (text, n, before, after) => {
        const words = cleanWords(`no: ${before}${disguises[name]!(text, n)}${after}`, {
          hidden: { secrets: [text], hosts: [] },
          model: { id: 'writer', names: ['big'] },
        });
        for (const form of [text, disguises[name]!(text, n)])
          expect((words ?? '').toLowerCase()).not.toContain(form.toLowerCase());
      }),
      { numRuns: 300 },
    );
  });

  test.each(Object.keys(disguises))('nor sixteen characters of it in a row, %s', (name) => {
    const long = fc
      .string({ unit: fc.constantFrom(...lettersAndDigits), minLength: 20, maxLength: 48 })
      .chain((text) => fc.tuple(fc.constant(text), fc.nat(text.length - 16)));
    fc.assert(
      fc.property(long, fc.nat(60), around, around, ([text, at], n, before, after) => {
        const shown = disguises[name]!(text.slice(at, at + 16), n);
        const words = clean(`no: ${before}${shown}${after}`, text);
        expect((words ?? '').toLowerCase()).not.toContain(shown.toLowerCase());
        expectNoWindow(words, text);
      }),
      { numRuns: 300 },
    );
  });

  test('nor ten letters and digits of it in a row, wherever they are from', () => {
    fc.assert(
      fc.property(secret, fc.nat(40), fc.integer({ min: 1, max: 48 }), around, (text, at, length, before) => {
        expectNoWindow(clean(`${before} no: ${text.slice(at, at + length)} is limited`, text), text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('where it stands at the place where the words are cut', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 900, max: 8_100 }), (text, before) => {
        const words = cleanWords(`${'ab '.repeat(before / 3)}${text} and more`, {
          hidden: { secrets: [text], hosts: [] },
          model: { id: 'writer', names: [] },
        });
        expect(words).not.toContain(text.slice(0, 6));
      }),
    );
  });
});

describe('a part of a key that a provider quotes is not shown', () => {
  const key = 'sk-live-ThiefKey4f9a8b7c6d5e';
  const options = { hidden: { secrets: [key], hosts: [] }, model: { id: 'writer', names: [] } };
  test.each([
    ['its end', 'The key ending with 9a8b7c6d5e is limited'],
    ['its beginning', 'The prefix ThiefKey4f9a is limited'],
    ['two halves', `The first half ${key.slice(0, 14)}, the second half ${key.slice(14)}`],
    ['its end in capitals', 'The key ending with 9A8B-7C6D-5E is limited'],
    ['its end in hexadecimal', `got ${Buffer.from('c6d5e').toString('hex')} there`],
    ['its middle in base64', `got ${Buffer.from('yey4f9a8b7').toString('base64')} there`],
  ])('%s', (_, text) => {
    const words = cleanWords(text, options) ?? '';
    for (const part of ['9a8b7c6d5e', '9A8B', 'ThiefKey4f', 'y4f9a8b7c6', '6336643565', 'eTRmOWE4Yj'])
      expect(words).not.toContain(part);
  });

  test('and less than ten letters and digits are not taken for a part', () => {
    const words = 'ThiefKey4 is a word, and 7c6d5e is a number';
    expect(cleanWords(words, options)).toBe(words);
  });
});
