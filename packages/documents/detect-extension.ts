import { readContentKind } from './content-kind.ts';
import { isDocumentExtension, textExtensions } from './document-extensions.ts';

const contentTypes: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/x-pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.oasis.opendocument.text': '.odt',
  'application/vnd.oasis.opendocument.spreadsheet': '.ods',
  'application/vnd.oasis.opendocument.presentation': '.odp',
  'application/rtf': '.rtf',
  'text/rtf': '.rtf',
  'application/epub+zip': '.epub',
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'text/json': '.json',
  'application/xml': '.xml',
  'text/xml': '.xml',
};

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

/**
 * Works out the extension for a fetched document. What the bytes prove counts more than what the server says, for
 * servers are wrong about it often; which kind of text it is only content type or name can tell, in this order.
 * Undefined for what neither bytes, server nor name say to be a document.
 */
export function detectDocumentExtension(input: {
  contentType?: string;
  filename?: string;
  bytes: Uint8Array;
}): string | undefined {
  const kind = readContentKind(input.bytes);
  if (isDocumentExtension(kind.extension)) return kind.extension;
  const said = [fromContentType(input.contentType), fromName(input.filename)];
  if (kind.extension !== 'text') return said.find((extension) => extension !== undefined);
  const text = said.find((extension) => extension !== undefined && textExtensions.has(extension));
  return text ?? (kind.name === 'a web page' ? '.html' : '.txt');
}
