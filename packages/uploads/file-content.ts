import { readContentKind } from '@errand/documents';
import { DomainError } from '@errand/platform';
import { imageTypes } from './file-kind.ts';

const images: Readonly<Record<string, string>> = {
  '.png': 'a PNG image',
  '.jpg': 'a JPEG image',
  '.jpeg': 'a JPEG image',
  '.webp': 'a WebP image',
  '.gif': 'a GIF image',
};

const mp4 = 'an MP4 video or recording';
const tagged = 'an MP3 recording';

const recordings: Readonly<Record<string, readonly string[]>> = {
  '.mp3': [tagged],
  '.m4a': [mp4],
  '.mp4': [mp4],
  '.wav': ['a WAV recording'],
  '.ogg': ['an Ogg recording'],
  '.opus': ['an Ogg recording'],
  // An ID3 tag may come first in these too.
  '.flac': ['a FLAC recording', tagged],
  '.aac': [tagged],
  '.webm': ['a WebM or Matroska video'],
};

/** MP3 and AAC frames have no signature, and a recording may begin with silence or the rest of a frame. */
const unproven = new Set(['a binary file of an unknown kind', 'a text file']);

const mismatch = (extension: string, name: string) =>
  new DomainError('upload_unreadable', {
    reason: `The file is named ${extension} but its content is ${name}.`,
  });

/** Undefined for what no vision model takes. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const { name } = readContentKind(bytes);
  const extension = Object.keys(images).find((one) => images[one] === name);
  return extension && imageTypes[extension];
}

export function checkImage(bytes: Uint8Array, extension: string): void {
  const { name } = readContentKind(bytes);
  if (name !== images[extension]) throw mismatch(extension, name);
}

/** Refuses a recording whose beginning proves that it is something else; only listening tells the rest. */
export function checkRecording(head: Uint8Array, extension: string): void {
  const { name } = readContentKind(head);
  if (!unproven.has(name) && !recordings[extension]?.includes(name)) throw mismatch(extension, name);
}
