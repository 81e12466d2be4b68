import { readContentKind } from '@errand/text';
import {
  extensionsByMediaType,
  isDocumentExtension,
  isTextExtension,
  provenExtension,
} from './document-extensions.ts';

/**
 * The extension of a fetched document, such as `.pdf`; undefined if neither the bytes, the content type nor the name
 * tells one. Bytes win over the content type, because servers are often wrong. The kind of a text comes from its
 * content type, else from its name.
 */
export function detectDocumentExtension(input: {
  contentType?: string;
  filename?: string;
  bytes: Uint8Array;
}): string | undefined {
  const kind = readContentKind(input.bytes);
  const proven = provenExtension(kind);
  if (proven) return proven;
  const named = [fromContentType(input.contentType), fromName(input.filename)];
  if (kind !== 'text' && kind !== 'html') return named.find((extension) => extension !== undefined);
  const text = named.find((extension) => extension !== undefined && isTextExtension(extension));
  return text ?? (kind === 'html' ? '.html' : '.txt');
}

function fromContentType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (!type) return undefined;
  const known = extensionsByMediaType.get(type);
  if (known) return known;
  if (type.endsWith('+json')) return '.json';
  if (type.endsWith('+xml') && !type.startsWith('image/')) return '.xml';
  return undefined;
}

function fromName(filename: string | undefined): string | undefined {
  const path = filename?.split(/[?#]/)[0] ?? '';
  const extension = /\.[a-z0-9]+$/i.exec(path)?.[0].toLowerCase();
  return extension && isDocumentExtension(extension) ? extension : undefined;
}
