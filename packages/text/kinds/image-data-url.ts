import { imageKinds, isImageKind } from './image-kinds.ts';
import { readContentKind } from './read-content-kind.ts';

/** A data URL whose type is what the bytes are. Undefined if they are no image that vision models take. */
export function imageDataUrl(bytes: Uint8Array): string | undefined {
  const kind = readContentKind(bytes);
  if (!isImageKind(kind)) return undefined;
  const { buffer, byteOffset, byteLength } = bytes;
  const encoded = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return `data:${imageKinds[kind].mediaType};base64,${encoded}`;
}
