import { expect, test } from 'vitest';
import { meantBy, refuseMisspelt } from './misspelt.ts';

test.each([
  ['max_credits', 'maxCredits'],
  ['maxcredits', 'maxCredits'],
  ['MAX-CREDITS', 'maxCredits'],
  ['maxCredit', 'maxCredits'],
  ['maxCredtis', 'maxCredits'],
  ['Proof', 'proof'],
  ['maxCredits', undefined],
  ['minCredits', undefined],
  ['proofs', undefined],
  ['mode', undefined],
  ['', undefined],
])('the name %j is meant to be %j', (name, meant) => {
  expect(meantBy(name, ['maxCredits', 'proof', 'model'])).toBe(meant);
});

test('the fields of a body that has many are looked at up to a bound', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`max_tokenz${i}`, 1]));
  const refuse = (body: object) => () => refuseMisspelt(body, ['max_tokens'], {});
  expect(refuse({ ...many, maxTokens: 1 })).not.toThrow();
  expect(refuse({ maxTokens: 1, ...many })).toThrow();
});

test('a misspelt field that costs money is refused with the name that was meant, and one that is known or unlike is not', () => {
  const refuse = (body: unknown) => refuseMisspelt(body, ['max_tokens'], { min_tokens: 1, maxtokens: 1 });
  expect(() => refuse({ maxTokens: 1 })).toThrow(
    expect.objectContaining({
      details: { issues: [{ field: 'maxTokens', problem: 'is not a field: write max_tokens' }] },
    }),
  );
  for (const body of [null, [], 'text', 1, { maxtokens: 1, max_tokens: 1, min_tokens: 1, top_k: 1 }])
    expect(() => refuse(body)).not.toThrow();
});
