import { type ContentKind, imageDataUrl, kindFacts } from '@errand/text';
import { afterEach, describe, expect, test } from 'vitest';
import { checkImage, checkRecording } from './file-content.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

const images: readonly [extension: string, mediaType: string, content: Buffer][] = [
  ['.png', 'image/png', bytes('\x89PNG\r\n\x1a\n')],
  ['.jpg', 'image/jpeg', bytes('\xff\xd8\xff\xe0')],
  ['.jpeg', 'image/jpeg', bytes('\xff\xd8\xff\xe0')],
  ['.webp', 'image/webp', bytes('RIFF\0\0\0\0WEBP')],
  ['.gif', 'image/gif', bytes('GIF89a')],
];

const recordings: readonly [extension: string, content: Buffer][] = [
  ['.mp3', bytes('ID3\x04')],
  ['.mp3', bytes('\xff\xfb\x90\0')],
  ['.m4a', bytes('\0\0\0\x20ftypM4A ')],
  ['.mp4', bytes('\0\0\0\x20ftypisom')],
  ['.wav', bytes('RIFF\0\0\0\0WAVE')],
  ['.wav', bytes('RF64\xff\xff\xff\xffWAVE')],
  ['.ogg', bytes('OggS\0')],
  ['.opus', bytes('OggS\0')],
  ['.flac', bytes('ID3\x04')],
  ['.flac', bytes('fLaC\0')],
  ['.aac', bytes('\xff\xf1\x50\x80\0')],
  ['.webm', bytes('\x1a\x45\xdf\xa3')],
];

const words = new Map(Object.entries(kindFacts).map(([kind, facts]) => [kind, facts.words]));

afterEach(() => {
  for (const [kind, facts] of Object.entries(kindFacts)) facts.words = words.get(kind)!;
});

function renameKinds(): void {
  for (const [kind, facts] of Object.entries(kindFacts)) facts.words = `something called ${kind}`;
}

describe.each([
  ['by the present names of kinds', () => {}],
  ['by any other names of kinds', renameKinds],
])('what is accepted, %s', (_, rename) => {
  test.each(images)('%s is an image of the type %s', (extension, mediaType, content) => {
    rename();
    expect(() => checkImage(content, extension)).not.toThrow();
    expect(imageDataUrl(content)).toBe(`data:${mediaType};base64,${content.toString('base64')}`);
  });

  test.each(recordings)('%s is a recording', (extension, content) => {
    rename();
    expect(() => checkRecording(content, extension)).not.toThrow();
  });

  test('bytes of any other kind are refused', () => {
    rename();
    expect(() => checkImage(bytes('GIF89a'), '.png')).toThrow();
    expect(() => checkImage(bytes('only text'), '.png')).toThrow();
    expect(() => checkRecording(bytes('OggS\0'), '.mp3')).toThrow();
    expect(() => checkRecording(bytes('%PDF-1.7'), '.wav')).toThrow();
    expect(imageDataUrl(bytes('II*\0'))).toBeUndefined();
  });
});

test('a refusal names what the file is in words for people', () => {
  const kind: ContentKind = 'gif';
  kindFacts[kind].words = 'a moving picture';
  expect(() => checkImage(bytes('GIF89a'), '.png')).toThrow(
    expect.objectContaining({
      details: { reason: 'The file is named .png but its content is a moving picture.' },
    }),
  );
});
