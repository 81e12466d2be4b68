import { isUtf8 } from 'node:buffer';
import { FetchError } from '../failure.ts';

const sniffedBytes = 1024;

const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const unknownTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const textTypes = /^text\/|[/+](json|xml|yaml|x-yaml|csv|javascript|x-ndjson|jsonl|toml|sql|graphql)$/;

export const mediaTypeOf = (contentType = ''): string => contentType.split(';')[0]!.trim().toLowerCase();

/** What a page is by its content type; `unknown` is told by its first bytes. Refuses what another tool reads. */
export function kindOfType(contentType: string | undefined): 'html' | 'text' | 'unknown' {
  const type = mediaTypeOf(contentType);
  if (htmlTypes.has(type)) return 'html';
  if (unknownTypes.has(type)) return 'unknown';
  if (type !== 'image/svg+xml' && textTypes.test(type)) return 'text';
  if (type.startsWith('image/')) throw notAPage('it is an image, not a page: use vision to look at it');
  if (/^(audio|video)\//.test(type)) {
    throw notAPage('it is a recording, not a page: use audio_transcribe to read it');
  }
  throw documentError();
}

/** The same by the bytes, which may also show that a type was wrong. */
export function kindOfBytes(bytes: Uint8Array, byType: 'html' | 'text' | 'unknown'): 'html' | 'text' {
  const start = Buffer.from(bytes.subarray(0, sniffedBytes)).toString('latin1');
  if (/^(%PDF-|PK\x03\x04|\xd0\xcf\x11\xe0)/.test(start)) throw documentError();
  if (byType !== 'unknown') return byType;
  if (start.includes('\0') && !/^(\xff\xfe|\xfe\xff)/.test(start)) throw documentError();
  if (/^(\xef\xbb\xbf)?\s*<(!doctype\s+html|!--|html|head|body)/i.test(start)) return 'html';
  if (!isUtf8(bytes)) throw documentError();
  return 'text';
}

const documentError = () =>
  notAPage('it is a document or another file, not a page: use document_parse to read it');

const notAPage = (reason: string) => new FetchError('not_a_page', { reason });
