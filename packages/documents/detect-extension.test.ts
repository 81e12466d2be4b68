import { describe, expect, test } from 'vitest';
import { isDocumentExtension } from './document-extensions.ts';
import { detectDocumentExtension, documentExtensions } from './index.ts';
import { readFixture } from './test-support/fixtures.ts';

const text = new TextEncoder().encode('Just some words.');

describe('the extension of a fetched document', () => {
  test.each(['text/html', 'application/msword', 'application/json', 'image/png'])(
    'comes from bytes that prove it, where the server says %s',
    (contentType) => {
      const bytes = readFixture('office.pdf');
      expect(detectDocumentExtension({ contentType, filename: 'a.docx', bytes })).toBe('.pdf');
    },
  );

  test('is that of a text if the server sends a text under another type', () => {
    const page = new TextEncoder().encode('<!DOCTYPE html><title>Sign in</title>');
    for (const [bytes, extension] of [
      [page, '.html'],
      [text, '.txt'],
    ] as const)
      expect(detectDocumentExtension({ contentType: 'application/pdf', filename: 'a.docx', bytes })).toBe(
        extension,
      );
  });

  test('comes from the content type of other text first, whatever its parameters and case', () => {
    const contentType = 'Text/CSV; charset=binary';
    expect(detectDocumentExtension({ contentType, filename: 'a.json', bytes: text })).toBe('.csv');
    expect(detectDocumentExtension({ contentType: 'text/html;charset=utf-8', bytes: text })).toBe('.html');
    expect(detectDocumentExtension({ contentType: 'application/ld+json', bytes: text })).toBe('.json');
  });

  test('comes from the name where the content type says little, without query and fragment', () => {
    for (const contentType of ['application/octet-stream', 'text/plain', 'application/zip', '']) {
      const filename = 'https://example.com/files/Data.CSV?version=2.pdf#page.docx';
      expect(detectDocumentExtension({ contentType, filename, bytes: text })).toBe('.csv');
    }
  });

  test.each([
    'office.docx',
    'office.pptx',
    'office.xlsx',
    'office.odt',
    'office.ods',
    'office.odp',
    'office.rtf',
    'office.pdf',
    'pandoc.epub',
    'pandoc.html',
  ])('comes from the bytes of %s if neither type nor name tells it', (name) => {
    const extension = name.slice(name.indexOf('.'));
    expect(detectDocumentExtension({ filename: 'download', bytes: readFixture(name) })).toBe(extension);
  });

  test('is .txt for other text and undefined for what no converter reads', () => {
    expect(detectDocumentExtension({ bytes: text })).toBe('.txt');
    expect(detectDocumentExtension({ contentType: 'text/plain', bytes: text })).toBe('.txt');
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    expect(
      detectDocumentExtension({ contentType: 'image/png', filename: 'x.png', bytes: png }),
    ).toBeUndefined();
  });

  test('is always one that the converter accepts, and only lower case with a dot is accepted', () => {
    expect(documentExtensions.every(isDocumentExtension)).toBe(true);
    for (const other of ['.PDF', 'pdf', '.png', '', '.exe']) expect(isDocumentExtension(other)).toBe(false);
  });
});
