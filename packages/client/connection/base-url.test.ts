import { expect, test } from 'vitest';
import { readOrigin } from './base-url.ts';

test.each([
  ['https://storage.example.com:9000', 'https://storage.example.com:9000'],
  ['https://storage.example.com:443/', 'https://storage.example.com'],
  ['HTTPS://Storage.example.com', 'https://storage.example.com'],
  ['http://[fd00::1]:9000', 'http://[fd00::1]:9000'],
])('%s is an origin', (text, origin) => {
  expect(readOrigin(text)).toBe(origin);
});

test.each([
  ...[
    'storage.example.com',
    'ftp://a',
    'https://a/bucket',
    'https://a?b',
    'https://a#b',
    'https://u:p@a',
    '',
  ],
])('%s is no origin', (text) => {
  expect(() => readOrigin(text)).toThrow('storage origin');
});
