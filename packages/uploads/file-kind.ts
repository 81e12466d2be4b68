import { documentExtensions } from '@errand/documents';
import { DomainError, limits } from '@errand/platform';
import { imageKinds, imageKindsByExtension, recordingFormat, recordingFormats } from '@errand/text';
import { extensionOf } from './file-name.ts';

/** How a file is read, by its extension (docs/api.md, Creating). */
export interface FileKind {
  kind: 'image' | 'recording' | 'document';
  extension: string;
  limitBytes: number;
  contentType: string;
}

const acceptedExtensions: readonly string[] = [
  ...Object.keys(imageKindsByExtension),
  ...Object.keys(recordingFormats),
  ...documentExtensions,
];

/** Throws `extension_not_accepted`, or `conversion_disabled` for a document while conversion is switched off. */
export function fileKind(filename: string, { conversionEnabled }: { conversionEnabled: boolean }): FileKind {
  const extension = extensionOf(filename);
  const image = imageKind(extension);
  if (image)
    return {
      kind: 'image',
      extension,
      limitBytes: limits.imageBytes,
      contentType: imageKinds[image].mediaType,
    };
  const recording = recordingFormat(extension);
  if (recording)
    return {
      kind: 'recording',
      extension,
      limitBytes: limits.recordingBytes,
      contentType: recording.mediaTypes[0],
    };
  if (!documentExtensions.includes(extension))
    throw new DomainError('extension_not_accepted', { extension, accepted: acceptedExtensions });
  if (!conversionEnabled) throw new DomainError('conversion_disabled');
  const contentType = 'application/octet-stream';
  return { kind: 'document', extension, limitBytes: limits.documentBytes, contentType };
}

const imageKind = (extension: string) =>
  Object.hasOwn(imageKindsByExtension, extension) ? imageKindsByExtension[extension] : undefined;
