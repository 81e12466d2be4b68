import { documentExtensions } from '@errand/documents';
import { DomainError, limits } from '@errand/platform';
import { imageKinds, imageKindsByExtension } from '@errand/text';
import { extensionOf } from './file-name.ts';

/** How a file is read, by its extension (docs/api.md, Creating). */
export interface FileKind {
  kind: 'image' | 'recording' | 'document';
  extension: string;
  limitBytes: number;
  contentType: string;
}

export const recordingTypes: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.flac': 'audio/flac',
  '.aac': 'audio/aac',
  '.webm': 'audio/webm',
  '.mp4': 'video/mp4',
};

export const acceptedExtensions: readonly string[] = [
  ...Object.keys(imageKindsByExtension),
  ...Object.keys(recordingTypes),
  ...documentExtensions,
];

/** Throws `extension_not_accepted`, or `conversion_disabled` for a document that nothing would convert. */
export function fileKind(filename: string, { conversionEnabled }: { conversionEnabled: boolean }): FileKind {
  const extension = extensionOf(filename);
  const image = own(imageKindsByExtension, extension);
  if (image)
    return {
      kind: 'image',
      extension,
      limitBytes: limits.imageBytes,
      contentType: imageKinds[image].mediaType,
    };
  const recording = own(recordingTypes, extension);
  if (recording)
    return { kind: 'recording', extension, limitBytes: limits.recordingBytes, contentType: recording };
  if (!documentExtensions.includes(extension))
    throw new DomainError('extension_not_accepted', { extension, accepted: acceptedExtensions });
  if (!conversionEnabled) throw new DomainError('conversion_disabled');
  const contentType = 'application/octet-stream';
  return { kind: 'document', extension, limitBytes: limits.documentBytes, contentType };
}

const own = <Value>(table: Readonly<Record<string, Value>>, extension: string): Value | undefined =>
  Object.hasOwn(table, extension) ? table[extension] : undefined;
