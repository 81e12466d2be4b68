import { limits } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FetchError } from './failure.ts';
import { readTarget } from './target.ts';

const none: ReadonlySet<string> = new Set();

function refusalOf(url: string, allowed = none): string | undefined {
  try {
    readTarget(allowed, url);
    return undefined;
  } catch (error) {
    return error instanceof FetchError ? error.code : String(error);
  }
}

describe('readTarget', () => {
  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
  ])('%j is not a URL that can be fetched', (url) => expect(refusalOf(url)).toBe('invalid_url'));

  it.each([
    'javascript:alert(1)',
    'gopher://127.0.0.1/',
    'blob:http://example.com/1',
    'http://',
    'http://exa mple.com/',
  ])('%j is not a URL that can be fetched', (url) => expect(refusalOf(url)).toBe('invalid_url'));

  it('an address that is too long is refused with the number of characters that it may have', () => {
    const url = 'https://example.com/'.padEnd(limits.urlCharacters, 'x');
    expect(refusalOf(url)).toBeUndefined();
    expect(refusalOf(`${url}x`)).toBe('invalid_url');
    expect(() => readTarget(none, `${url}x`)).toThrow(
      new RegExp(`^the URL has more than ${limits.urlCharacters} characters$`),
    );
  });

  it.each(['http://user@example.com/', 'http://user:secret@example.com/', 'https://:secret@example.com/'])(
    '%s is refused for its credentials, which the message does not repeat',
    (url) => {
      expect(() => readTarget(none, url)).toThrow(/^the URL holds a user name or password$/);
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://0/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1\\',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'https://10.0.0.1:8443/',
  ])('%s is forbidden before anything is sent', (url) => {
    expect(refusalOf(url)).toBe('forbidden_address');
  });

  it.each([
    'https://example.com/',
    'http://example.com.:8080/',
    'http://1.1.1.1/',
    'http://[2606:4700::1111]/',
  ])('%s may be tried', (url) => expect(refusalOf(url)).toBeUndefined());

  it('every way of writing a private IPv4 address as one number is forbidden', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x0a000000, max: 0x0affffff }), (value) => {
        for (const form of [String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`]) {
          expect(refusalOf(`http://${form}/`), form).toBe('forbidden_address');
        }
      }),
    );
  });

  it('an allowed host is allowed on its port alone; without one, on the port of the scheme', () => {
    expect(refusalOf('http://127.0.0.1:8080/', new Set(['127.0.0.1:8080']))).toBeUndefined();
    expect(refusalOf('http://127.0.0.1:8081/', new Set(['127.0.0.1:8080']))).toBe('forbidden_address');
    expect(refusalOf('http://127.0.0.1/', new Set(['127.0.0.1:80']))).toBeUndefined();
    expect(refusalOf('https://127.0.0.1/', new Set(['127.0.0.1:80']))).toBe('forbidden_address');
    expect(refusalOf('https://127.0.0.1/', new Set(['127.0.0.1:443']))).toBeUndefined();
    expect(refusalOf('http://[::1]:8080/', new Set(['[::1]:8080']))).toBeUndefined();
  });
});
