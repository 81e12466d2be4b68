import { expect, test } from 'vitest';
import { refuseOthers } from './refuse-others.ts';

const statusFor = (accepted: string[], sent?: string): number | undefined => {
  const headers: Record<string, string> = sent === undefined ? {} : { 'X-Origin-Secret': sent };
  return refuseOthers(accepted)(new Request('https://api.example.com/', { headers }))?.status;
};

test('a function accepts the secret of the edge and the one before, and refuses any other', () => {
  const accepted = ['the new secret', 'the old one'];
  for (const secret of accepted) expect(statusFor(accepted, secret)).toBeUndefined();
  for (const secret of [undefined, '', 'the old secret', 'the new secret,the old one', 'the'])
    expect(statusFor(accepted, secret)).toBe(403);
});

test('a function does not start without a secret', () => {
  expect(() => refuseOthers([])).toThrow('ORIGIN_SECRET must be set');
});
