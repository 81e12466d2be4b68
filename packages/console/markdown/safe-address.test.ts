import { expect, test } from 'vitest';
import { safeAddress } from './safe-address.ts';

test.each(['https://example.com/a?b#c', 'http://example.com/', 'mailto:a@example.com'])(
  '%s may be followed',
  (address) => {
    expect(safeAddress(address)).toBe(address);
  },
);

test.each([
  ...['javascript:alert(1)', ' javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'java\nscript:alert(1)'],
  ...[
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a/b',
    '//example.com',
    '/v1',
    '#/ask',
    '',
  ],
])('%j may not be followed', (address) => {
  expect(safeAddress(address)).toBeUndefined();
});
