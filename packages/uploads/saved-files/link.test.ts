import { isDomainError } from '@errand/platform';
import { expect, test } from 'vitest';
import { signFields } from '../signature.ts';
import { checkFileLink, makeFileLink } from './link.ts';

const secret = 'a secret that only this test knows';
const file = { agentId: 'run', name: 'report.md' };
const now = Date.UTC(2026, 10, 22);

const refusalOf = (expires: string, signature: string, time = now) => {
  try {
    checkFileLink(secret, file, { expires, signature }, time);
    return 'accepted';
  } catch (error) {
    if (isDomainError(error, 'link_altered') || isDomainError(error, 'link_expired')) return error.code;
    throw error;
  }
};

const signed = (expires: string) =>
  signFields(secret, 'file-link', [file.agentId, file.name, expires]).slice(0, 22);

test('a link works until it expires, and no longer', () => {
  const { url, expiresAt } = makeFileLink(secret, 'https://api.example.com', file, now);
  const { expires = '', signature = '' } = Object.fromEntries(new URL(url).searchParams);
  expect(refusalOf(expires, signature, Date.parse(expiresAt) - 1)).toBe('accepted');
  expect(refusalOf(expires, signature, Date.parse(expiresAt))).toBe('link_expired');
});

test.each([
  '',
  'NaN',
  'never',
  '1e99',
  'Infinity',
  '-1',
  '+99999999999',
  ' 99999999999',
  '0x7fffffffff',
  '９９９９９９９９９９９',
])('a time that is not plain digits (%j) is refused, whoever signed it', (expires) => {
  expect(refusalOf(expires, signed(expires))).toBe('link_altered');
});

test('the end of one field cannot pass for the beginning of the next', () => {
  const moved = { agentId: 'run\nreport.md', name: '' };
  expect(signFields(secret, 'file-link', ['run', 'report.md', ''])).not.toBe(
    signFields(secret, 'file-link', [moved.agentId, moved.name, '']),
  );
});
