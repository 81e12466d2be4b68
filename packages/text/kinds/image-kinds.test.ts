import { describe, expect, test } from 'vitest';
import { type ImageKind, imageKinds, imageKindsByExtension, imageNames } from './image-kinds.ts';
import { readContentKind } from './read-content-kind.ts';

describe.each(Object.keys(imageKinds) as ImageKind[])('a %s image', (kind) => {
  const { extensions, signatures } = imageKinds[kind];

  test('is told by each of its signatures', () => {
    for (const parts of signatures) {
      const file = Buffer.alloc(16);
      for (const { offset, bytes } of parts) file.write(bytes, offset, 'latin1');
      expect(readContentKind(file)).toBe(kind);
    }
  });

  test('is what each of its extensions stands for', () => {
    expect(extensions.map((extension) => imageKindsByExtension[extension])).toEqual(
      extensions.map(() => kind),
    );
  });
});

test('the names of images read as a sentence does', () => {
  expect(imageNames).toBe('PNG, JPEG, WebP or GIF');
});

describe('text that speaks of another format', () => {
  test.each([
    ['text', 'A file that begins with %PDF-1.7 is a PDF.'],
    ['html', '<!doctype html><title>What %PDF-1.7 means</title>'],
    ['html', '\xef\xbb\xbf \n<body>'],
    ['pdf', '\r\n%PDF-1.4'],
    ['pdf', '\xef\xbb\xbf%PDF-1.4'],
    ['text', 'Convert WEBP files to PNG'],
    ['text', 'Display WAVE forms'],
  ])('is read as %s: %j', (kind, content) => {
    expect(readContentKind(Buffer.from(content, 'latin1'))).toBe(kind);
  });
});
