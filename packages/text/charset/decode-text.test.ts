import { describe, expect, it } from 'vitest';
import { headerCharset } from './declared-charset.ts';
import { decodeText } from './decode-text.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text);

describe('decodeText', () => {
  it.each([
    ['the header', latin1('caf\xe9'), 'text/html; charset=ISO-8859-1', 'café'],
    ['a quoted header', latin1('\x93x\x94'), 'text/html; Charset="windows-1252"', '“x”'],
    [
      'a meta element',
      latin1('<meta charset="windows-1251">\xcf'),
      'text/html',
      '<meta charset="windows-1251">П',
    ],
    ['an http-equiv element', latin1('<meta content="text/html; charset=koi8-r">\xf0'), undefined, /П$/],
    ['an XML declaration', latin1('<?xml version="1.0" encoding="iso-8859-2"?>\xb1'), undefined, /ą$/],
    ['a byte order mark over the header', utf8('\ufeffé'), 'text/html; charset=iso-8859-1', 'é'],
    ['a UTF-16 mark', Buffer.from('\ufeffé', 'utf16le'), undefined, 'é'],
    ['the header over the page', utf8('<meta charset=latin1>é'), 'text/html;charset=utf-8', /é$/],
    ['the bytes, where nothing is declared', utf8('é'), 'text/html', 'é'],
    ['windows-1252, where the bytes are not UTF-8', latin1('caf\xe9'), 'text/html', 'café'],
    ['the bytes, where the charset is unknown', utf8('é'), 'text/html; charset=klingon', 'é'],
    [
      'a header of UTF-16 without a mark',
      Buffer.from('Zoë', 'utf16le'),
      'text/plain; charset=utf-16le',
      'Zoë',
    ],
    ['ASCII, where a header says UTF-16', utf8('Port'), 'text/plain; charset=utf-16le', 'Port'],
    ['UTF-8 bytes over the header', utf8('Zoë'), 'text/html; charset=iso-8859-1', 'Zoë'],
    ['UTF-8 bytes over the page', utf8('<meta charset=latin1>é'), 'text/html', /é$/],
    [
      'UTF-8, but for a character that is broken',
      Buffer.concat([utf8('éè'), latin1('\xe9')]),
      'text/html;charset=utf-8',
      'éè\ufffd',
    ],
    [
      'windows-1252, where UTF-8 is said of no such thing',
      latin1('caf\xe9'),
      'text/html;charset=utf-8',
      'café',
    ],
    ['UTF-8, where an ASCII page says UTF-16', utf8('<meta charset="utf-16">é'), undefined, /é$/],
  ])('reads by %s', (_by, bytes, contentType, expected) => {
    if (typeof expected === 'string') expect(decodeText(bytes, headerCharset(contentType))).toBe(expected);
    else expect(decodeText(bytes, headerCharset(contentType))).toMatch(expected);
  });
});
