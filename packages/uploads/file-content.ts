import { DomainError } from '@errand/platform';
import {
  type ContentKind,
  imageKinds,
  imageKindsByExtension,
  isImageKind,
  kindFacts,
  readContentKind,
} from '@errand/text';

/** What the bytes of a recording may prove, by its extension. */
const recordings: Readonly<Record<string, readonly ContentKind[]>> = {
  '.mp3': ['mp3'],
  '.m4a': ['mp4'],
  '.mp4': ['mp4'],
  '.wav': ['wav'],
  '.ogg': ['ogg'],
  '.opus': ['ogg'],
  // An ID3 tag, which is all that tells an MP3, may also come first in these two.
  '.flac': ['flac', 'mp3'],
  '.aac': ['mp3'],
  '.webm': ['matroska'],
};

/** MP3 and AAC frames have no signature, and a recording may begin with silence or the rest of a frame. */
const unproven: ReadonlySet<ContentKind> = new Set<ContentKind>(['binary', 'text']);

const mismatch = (extension: string, kind: ContentKind) =>
  new DomainError('upload_unreadable', {
    reason: `The file is named ${extension} but its content is ${kindFacts[kind].words}.`,
  });

/** The media type of an image that vision models take; undefined for anything else. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const kind = readContentKind(bytes);
  return isImageKind(kind) ? imageKinds[kind].mediaType : undefined;
}

export function checkImage(bytes: Uint8Array, extension: string): void {
  const kind = readContentKind(bytes);
  if (kind !== imageKindsByExtension[extension]) throw mismatch(extension, kind);
}

/** Refuses a recording whose beginning proves that it is something else; only listening tells the rest. */
export function checkRecording(head: Uint8Array, extension: string): void {
  const kind = readContentKind(head);
  if (!unproven.has(kind) && !recordings[extension]?.includes(kind)) throw mismatch(extension, kind);
}
