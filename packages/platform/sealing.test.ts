import { describe, expect, test } from 'vitest';
import { createSealer, isSealed, SealBroken } from './sealing.ts';

const first = 'the first secret of thirty-two characters';
const second = 'the second secret of thirty-two characters';
const place = 'run 1';

describe('a sealed text', () => {
  const sealer = createSealer([first]);

  test.each(['', 'a token', 'ü€🙂'.repeat(1_000)])('opens to what it was (%#)', (text) => {
    const sealed = sealer.seal(text, place);
    expect(isSealed(sealed)).toBe(true);
    expect(createSealer([first]).open(sealed, place)).toBe(text);
  });

  test('shows neither its text nor that another one is the same', () => {
    const [one, other] = [sealer.seal('tok-1234567890', place), sealer.seal('tok-1234567890', place)];
    expect(one).not.toBe(other);
    expect(one).not.toContain(Buffer.from('tok-1234567890').toString('base64url').slice(0, 8));
  });

  test('opens at its own place alone', () => {
    expect(() => sealer.open(sealer.seal('text', place), 'run 2')).toThrow(SealBroken);
  });

  test('opens in no altered form', () => {
    const sealed = sealer.seal('text', place);
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'b' ? 'c' : 'b';
      // The last character of base64 may have bits that stand for nothing.
      if (at === sealed.length - 1) continue;
      const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(() => sealer.open(altered, place), altered).toThrow(SealBroken);
    }
    for (let end = 0; end < sealed.length; end++)
      expect(() => sealer.open(sealed.slice(0, end), place), String(end)).toThrow(SealBroken);
  });

  test('of an earlier secret opens while that secret is given, and no longer', () => {
    const sealed = sealer.seal('text', place);
    expect(createSealer([second, first]).open(sealed, place)).toBe('text');
    expect(() => createSealer([second]).open(sealed, place)).toThrow(SealBroken);
    expect(() => createSealer([]).open(sealed, place)).toThrow(SealBroken);
  });

  test('is made with the first secret', () => {
    const sealed = createSealer([second, first]).seal('text', place);
    expect(createSealer([second]).open(sealed, place)).toBe('text');
    expect(() => sealer.open(sealed, place)).toThrow(SealBroken);
  });
});

test('nothing is sealed without a secret, or with a short one', () => {
  expect(() => createSealer([]).seal('text', place)).toThrow('STORE_SECRET is not set');
  expect(() => createSealer(['short'])).toThrow('too short');
});
