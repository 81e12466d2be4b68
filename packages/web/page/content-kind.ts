import { isUtf8 } from 'node:buffer';
import { type ContentKind, documentFacts, readContentKind, textDocuments } from '@errand/text';
import { FetchError } from '../failure.ts';

const binaryCheckBytes = 1024;

const htmlTypes: ReadonlySet<string> = new Set(
  Object.values(textDocuments).flatMap(({ form, mediaTypes }) => (form === 'page' ? mediaTypes : [])),
);
const unknownTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const textTypes = /^text\/|[/+](json|xml|yaml|x-yaml|csv|javascript|x-ndjson|jsonl|toml|sql|graphql)$/;

/** Kinds that the bytes prove, whatever the content type says. */
const fileKinds: ReadonlySet<ContentKind> = new Set<ContentKind>([
  ...documentFacts.map(([kind]) => kind),
  ...(['zip', 'oldOffice', 'encryptedOffice'] as const),
]);

/** The media type of a `Content-Type` header: in lower case, without parameters, empty if there is none. */
export const mediaTypeOf = (contentType = ''): string => contentType.split(';')[0]!.trim().toLowerCase();

type PageKind = 'html' | 'text';

/**
 * What an address holds by its content type; `unknown` leaves it to the bytes. Throws `FetchError` `not_a_page` for an
 * image or a recording; its message names the tool that reads the file.
 */
export function kindOfType(contentType: string | undefined): PageKind | 'document' | 'unknown' {
  const type = mediaTypeOf(contentType);
  if (htmlTypes.has(type)) return 'html';
  if (unknownTypes.has(type)) return 'unknown';
  if (type !== 'image/svg+xml' && textTypes.test(type)) return 'text';
  if (type.startsWith('image/')) throw notAPage('it is an image, not a page: use vision to look at it');
  if (/^(audio|video)\//.test(type)) {
    throw notAPage('it is a recording, not a page: use audio_transcribe to read it');
  }
  return 'document';
}

/** What fetched bytes are, which may prove their content type wrong. Throws as `kindOfType` does. */
export function kindOfFetched(contentType: string | undefined, bytes: Uint8Array): PageKind | 'document' {
  const byType = kindOfType(contentType);
  const kind = readContentKind(bytes);
  if (fileKinds.has(kind)) return 'document';
  if (byType !== 'unknown') return byType;
  if (kind === 'html') return 'html';
  return bytes.subarray(0, binaryCheckBytes).includes(0) || !isUtf8(bytes) ? 'document' : 'text';
}

export const documentError = () =>
  notAPage('it is a document or another file, not a page: use document_parse to read it');

const notAPage = (reason: string) => new FetchError('not_a_page', { reason });
