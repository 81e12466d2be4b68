import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertText, readWhole } from '../test-support/fixtures.ts';
import { guessDelimiter, parseDelimited } from './read-delimited.ts';
import { indentJson } from './read-plain-text.ts';

const words = 'Größe, naïve – 10 €';

describe('the encoding of a text', () => {
  test.each([
    ['UTF-8', Buffer.from(words)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${words}`)],
    ['UTF-16 little endian', Buffer.from(`\ufeff${words}`, 'utf16le')],
    ['UTF-16 big endian', Buffer.from(`\ufeff${words}`, 'utf16le').swap16()],
    ['windows-1252', Buffer.from('Gr\xf6\xdfe, na\xefve \x96 10 \x80', 'latin1')],
  ])('may be %s', async (_, bytes) => {
    const { text } = await readWhole({ bytes: new Uint8Array(bytes), extension: '.txt' });
    expect(text).toBe(words);
  });

  test('is what a web page or an XML file names', async () => {
    const page =
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcf\xee\xf0\xf2';
    expect((await convertText('.html', page, 'latin1')).text).toBe('Порт');
    const xml = '<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb3\xf3d\xbc</a>';
    expect((await convertText('.xml', xml, 'latin1')).text).toContain('<a>łódź</a>');
  });

  test.each([
    ['.csv', 'windows-1251', '\xcf\xee\xf0\xf2', 'Порт'],
    ['.txt', 'Shift_JIS', '\x8d`', '港'],
    // This charset uses seven-bit bytes, which UTF-8 would take for ASCII.
    ['.html', 'iso-2022-jp', '<p>\x1b$B9A\x1b(B</p>', '港'],
    // Many servers send this charset with every file.
    ['.txt', 'iso-8859-1', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['.csv', 'utf-8', 'Gr\xf6\xdfe', 'Größe'],
    ['.html', 'utf-8', '<meta charset=windows-1251><p>\xcf\xee\xf0\xf2', 'Порт'],
    ['.txt', 'no-such', 'Gr\xf6\xdfe', 'Größe'],
  ])('of a %s is what its sender says: %s', async (extension, charset, text, expected) => {
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
    expect((await readWhole({ bytes, extension, charset })).text).toContain(expected);
  });
});

describe('a table of values', () => {
  test('may hold quotes, delimiters and new lines in its values', async () => {
    const csv = 'name,"said, then"\r\n"Ann ""A.""","one\r\ntwo"\r\nBob,a|b\r\n';
    const { text } = await convertText('.csv', csv);
    expect(text).toBe('| name | said, then |\n| --- | --- |\n| Ann "A." | one<br>two |\n| Bob | a\\|b |');
  });

  test.each([
    ['.csv', 'a;b\n1,5;2\n3;4,25\n', '| a | b |\n| --- | --- |\n| 1,5 | 2 |\n| 3 | 4,25 |'],
    ['.tsv', 'a\tb\n1,5\t2;3\n', '| a | b |\n| --- | --- |\n| 1,5 | 2;3 |'],
    ['.csv', 'only\none\ncolumn', '| only |\n| --- |\n| one |\n| column |'],
  ])('%s %j is split by the delimiter it uses', async (extension, source, expected) => {
    expect((await convertText(extension, source)).text).toBe(expected);
  });

  test('is read back as it was written, whatever the values', () => {
    const value = fc.string().map((text) => text.replaceAll('\r', ''));
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
        const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quote).join(',')).join('\n');
        expect([...parseDelimited(text, ',')]).toEqual(rows);
      }),
    );
  });

  test('is kept as text once it is very large', async () => {
    const source = `a,b\n${'1,2\n'.repeat(600_000)}`;
    const bytes = new TextEncoder().encode(source);
    const { text } = await readWhole({ bytes, extension: '.csv' }, { outputCharacters: 11 });
    expect(text).toBe(`a,b\n1,2\n1,2\n\n[${source.length - 12} more characters were cut here.]`);
  });

  test('the delimiter is the one that splits the lines evenly', () => {
    expect(guessDelimiter('"a;b",c\n"d;e",f\n')).toBe(',');
    expect(guessDelimiter('a|b|c\n1,5|2|3\n')).toBe('|');
  });
});

describe('JSON and XML', () => {
  test('JSON on one line is laid out, its numbers and strings untouched', async () => {
    const source = '{"id":12345678901234567890,"list":[1,{"a":"x, {y}: \\"z\\""}],"none":{},"2":null}';
    const { text } = await convertText('.json', source);
    expect(text).toBe(
      '{\n  "id": 12345678901234567890,\n  "list": [\n    1,\n    {\n      "a": "x, {y}: \\"z\\""\n    }\n  ],\n  "none": {},\n  "2": null\n}',
    );
  });

  test('laying JSON out never changes what it says', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.parse(indentJson(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  test('JSON in lines, broken JSON and XML stay as they were sent', async () => {
    for (const [extension, source] of [
      ['.json', '{"a":1}\n{"a":2}'],
      ['.json', '{"a":1,\n  broken'],
      ['.xml', '<!DOCTYPE a [<!ENTITY b "c">]>\n<a x="1">&b;</a>'],
    ] as const) {
      expect((await convertText(extension, source)).text).toBe(source);
    }
  });

  test('markdown and text stay as they were sent, with \\n at the ends of lines', async () => {
    expect((await convertText('.md', '# A\r\n\r\n* b\\_c <i>d</i>\r')).text).toBe('# A\n\n* b\\_c <i>d</i>');
  });
});
