import { DomainError } from '@errand/platform';
import {
  type ContentKind,
  describeMismatch,
  imageKindsByExtension,
  readContentKind,
  recordingFormat,
} from '@errand/text';

/** Kinds that prove nothing: MP3 and AAC frames have no signature, and a recording may begin with silence. */
const unproven: ReadonlySet<ContentKind> = new Set<ContentKind>(['binary', 'text']);

const mismatch = (extension: string, kind: ContentKind) =>
  new DomainError('upload_unreadable', { reason: describeMismatch(extension, kind) });

/** Throws `upload_unreadable` unless the bytes begin as an image of the extension's type does. */
export function checkImage(bytes: Uint8Array, extension: string): void {
  const kind = readContentKind(bytes);
  if (kind !== imageKindsByExtension[extension]) throw mismatch(extension, kind);
}

/** Throws `upload_unreadable` if the first bytes of a recording prove that the file is something else. */
export function checkRecording(head: Uint8Array, extension: string): void {
  const kind = readContentKind(head);
  if (!unproven.has(kind) && !recordingFormat(extension)?.kinds.some((proven) => proven === kind))
    throw mismatch(extension, kind);
}
