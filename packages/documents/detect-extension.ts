import { contentKinds, readContentKind } from '@errand/text';
import {
  isDocumentExtension,
  provenExtension,
  provenMediaTypes,
  textExtensions,
} from './document-extensions.ts';

const contentTypes: Readonly<Record<string, string>> = {
  ...provenMediaTypes,
  [contentKinds.html.mediaType]: '.html',
  'application/x-pdf': '.pdf',
  'text/rtf': '.rtf',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'text/json': '.json',
  'application/xml': '.xml',
  'text/xml': '.xml',
};

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
  const text = named.find((extension) => extension !== undefined && textExtensions.has(extension));
  return text ?? (kind === 'html' ? '.html' : '.txt');
}

function fromContentType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (!type) return undefined;
  if (Object.hasOwn(contentTypes, type)) return contentTypes[type];
  if (type.endsWith('+json')) return '.json';
  if (type.endsWith('+xml') && !type.startsWith('image/')) return '.xml';
  return undefined;
}

function fromName(filename: string | undefined): string | undefined {
  const path = filename?.split(/[?#]/)[0] ?? '';
  const extension = /\.[a-z0-9]+$/i.exec(path)?.[0].toLowerCase();
  return extension && isDocumentExtension(extension) ? extension : undefined;
}
