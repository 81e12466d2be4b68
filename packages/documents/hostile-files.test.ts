import { deflateSync } from 'node:zlib';
import { limits } from '@errand/platform';
import { afterAll, describe, expect, test } from 'vitest';
import { type ConvertLimits, DocumentError } from './index.ts';
import { convertText, readFixture, readWhole } from './test-support/fixtures.ts';
import { makePdf, makePdfOf } from './test-support/pdf-file.ts';
import { makeDocx, makeZip } from './test-support/zip-file.ts';

async function refusal(extension: string, bytes: Uint8Array, limits: Partial<ConvertLimits> = {}) {
  const error = await readWhole({ bytes, extension }, limits).then(
    (conversion) => conversion,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DocumentError)) throw new Error(`not refused: ${String(error)}`);
  expect(error.message).toMatch(/^The [^\n]+\.$|^No text was found [^\n]+\.$|^Files of the kind [^\n]+\.$/);
  expect(error.message).not.toMatch(/packages|node_modules|\bat \b.*:\d+/);
  return { code: error.code, message: error.message };
}

afterAll(async () => {
  expect((await convertText('.txt', 'still here')).text).toBe('still here');
});

describe('content that is not what the name says', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  test.each([
    ['.pdf', png, 'a PNG image'],
    ['.txt', png, 'a PNG image'],
    ['.docx', readFixture('office.xlsx'), 'an Excel workbook (.xlsx)'],
    ['.odt', readFixture('office.ods'), 'an OpenDocument spreadsheet (.ods)'],
    ['.html', readFixture('office.pdf'), 'a PDF document (.pdf)'],
    ['.pdf', Buffer.from('<!doctype html><p>Log in'), 'a web page'],
    ['.epub', makeZip([{ name: 'a.txt', content: 'a' }]), 'a ZIP archive'],
    [
      '.docx',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      'an Office file of the format before 2007 (.doc, .xls or .ppt)',
    ],
    ['.csv', Buffer.from([1, 0, 2, 0]), 'a binary file of an unknown kind'],
  ])('is refused as %s, naming it', async (extension, bytes, name) => {
    const message = `The file is named ${extension} but its content is ${name}.`;
    expect(await refusal(extension, new Uint8Array(bytes))).toEqual({ code: 'wrong_content', message });
  });
});

describe('protected files', () => {
  const odt = [
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'META-INF/manifest.xml',
      content:
        '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
    },
    { name: 'content.xml', content: 'x' },
  ];
  const epub = [
    { name: 'mimetype', content: 'application/epub+zip', stored: true },
    { name: 'META-INF/container.xml', content: '<container><rootfile full-path="a/book.opf"/></container>' },
    {
      name: 'META-INF/encryption.xml',
      content: '<e><EncryptedData><CipherReference URI="a/one%20.html"/></EncryptedData></e>',
    },
    {
      name: 'a/book.opf',
      content: '<package><item id="i" href="one%20.html"/><itemref idref="i"/></package>',
    },
    { name: 'a/one .html', content: 'x' },
  ];
  const ole = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ]);
  test.each([
    ['.pdf', readFixture('encrypted.pdf')],
    ['.docx', new Uint8Array(ole)],
    ['.odt', makeZip(odt)],
    ['.epub', makeZip(epub)],
    ['.docx', makeZip([{ name: 'word/document.xml', content: 'x', encrypted: true }])],
  ])('%s is refused as protected', async (extension, bytes) => {
    const { code, message } = await refusal(extension, bytes);
    expect(code).toBe('encrypted');
    expect(message).toContain('protected');
  });
});

describe('files made to do harm', () => {
  test('a member that unpacks to gigabytes is stopped while it unpacks', async () => {
    const content = new Uint8Array(260 * 1024 * 1024).fill(0x20);
    const bomb = makeZip([{ name: 'word/document.xml', content }]);
    expect(bomb.byteLength).toBeLessThan(3_000_000);
    expect((await refusal('.docx', bomb)).code).toBe('too_large');
  });

  test('a member that unpacks to more than it claims is refused', async () => {
    const bytes = makeZip([{ name: 'word/document.xml', content: '<a>'.repeat(1_000), claimedBytes: 10 }]);
    expect((await refusal('.docx', bytes)).code).toBe('broken');
  });

  test('an archive of too many members is refused', async () => {
    const members = Array.from({ length: 20_001 }, (_, index) => ({
      name: `${index}`,
      content: '',
      stored: true,
    }));
    const bytes = makeZip([{ name: 'word/document.xml', content: '<a/>' }, ...members]);
    expect((await refusal('.docx', bytes)).code).toBe('too_large');
  });

  test('entities of a document type never expand, in XML and in office files', async () => {
    const doctype =
      '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const body = '<w:p><w:r><w:t>x&b;&f;y</w:t></w:r></w:p>';
    const { text } = await readWhole({ bytes: makeDocx(body, [], doctype), extension: '.docx' });
    expect(text).toBe('x&b;&f;y');
  });

  test.each([
    ['.docx', makeDocx('<w:p>'.repeat(200_000))],
    ['.html', new TextEncoder().encode(`${'<div>'.repeat(1_000_000)}x`)],
    ['.rtf', new TextEncoder().encode(`{\\rtf1 ${'{'.repeat(1_000_000)}`)],
  ])('%s nested without end is refused', async (extension, bytes) => {
    expect(await refusal(extension, bytes)).toEqual({
      code: 'broken',
      message: 'The file is nested too deeply to be read.',
    });
  });

  test('JSON nested without end is text like any other', async () => {
    expect((await convertText('.json', '['.repeat(100_000))).text).toMatch(/^\[\n {2}\[\n {4}\[/);
  });

  test('a file that needs too much memory ends its worker alone', async () => {
    const bytes = new TextEncoder().encode(`<table>${'<td>ab<td>cd'.repeat(400_000)}</table>`);
    expect((await refusal('.html', bytes, { memoryMegabytes: 24 })).code).toBe('too_large');
  });

  test('a PDF of few bytes that unpacks beyond the heap is stopped too', async () => {
    const unpacked = new Uint8Array(400 * 1024 * 1024).fill(0x20);
    const data = deflateSync(deflateSync(unpacked)).toString('latin1');
    const bytes = makePdfOf([{ filter: '/Filter[/FlateDecode/FlateDecode]', data }]);
    expect(bytes.byteLength).toBeLessThan(20_000);
    expect((await refusal('.pdf', bytes, { memoryMegabytes: 100 })).code).toBe('too_large');
  });

  test('a conversion is ended when its time is over', async () => {
    const { code, message } = await refusal('.pdf', readFixture('office.pdf'), { timeoutMilliseconds: 1 });
    expect(code).toBe('timeout');
    expect(message).toBe('The file could not be converted within 0 seconds.');
  });
});

describe('broken, empty and unknown files', () => {
  test.each(['office.docx', 'office.xlsx', 'office.odp', 'pandoc.epub'])(
    '%s cut in half is refused',
    async (name) => {
      const whole = readFixture(name);
      const extension = name.slice(name.indexOf('.'));
      const { code } = await refusal(extension, whole.slice(0, whole.length / 2));
      expect(['broken', 'wrong_content']).toContain(code);
    },
  );

  test('an archive without its main part is refused', async () => {
    const bytes = makeZip([{ name: 'mimetype', content: 'application/epub+zip', stored: true }]);
    expect((await refusal('.epub', bytes)).code).toBe('broken');
  });

  test('a PDF without text says so, with its pages', async () => {
    expect(await refusal('.pdf', makePdf([[], [], []]))).toEqual({
      code: 'empty',
      message:
        'No text was found on any of the 3 pages of the .pdf file: it may be a scan, which only a reader of images can read.',
    });
  });

  test.each([
    ['.txt', new Uint8Array()],
    ['.txt', new TextEncoder().encode(' \n\t')],
    ['.html', new TextEncoder().encode('<script>a()</script>')],
    ['.docx', makeDocx('<w:p/>')],
  ])('%s without text is empty', async (extension, bytes) => {
    expect((await refusal(extension, bytes)).code).toBe('empty');
  });

  test.each(['.exe', '', 'pdf', '.PDF'])('the extension %j is unsupported', async (extension) => {
    expect((await refusal(extension, new Uint8Array(9))).code).toBe('unsupported');
  });
});

describe('large files', () => {
  test('a large text is converted, cut at the limit and counted', async () => {
    const bytes = new Uint8Array(50 * 1024 * 1024).fill(0x61);
    const cut = bytes.byteLength - 1_000;
    const { text } = await readWhole({ bytes, extension: '.txt' }, { outputCharacters: 1_000 });
    expect(text).toBe(`${'a'.repeat(1_000)}\n\n[${cut} more characters were cut here.]`);
  });

  test('a document over the limit is refused', async () => {
    expect((await refusal('.txt', new Uint8Array(limits.readDocumentBytes + 1))).code).toBe('too_large');
  });

  test('a PDF of 2,000 pages is converted to its last line', async () => {
    const pages = Array.from({ length: 2_000 }, (_, index) => [
      `First line of page ${index + 1}`,
      'second line',
    ]);
    const conversion = await readWhole({ bytes: makePdf(pages), extension: '.pdf' });
    expect(conversion.pages).toBe(2_000);
    const expected = pages.map((lines) => lines.join('\n')).join('\n\n');
    expect(conversion.text === expected).toBe(true);
  });
});
