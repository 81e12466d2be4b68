import type { ObjectRecord } from '../store/records.ts';
import { S3Error } from '../wire/errors.ts';
import type { S3Request } from '../wire/request.ts';

const contentHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
const maxMetadataBytes = 2048;

/** The headers of a PUT that are kept with the object and sent back with it. */
export function keptHeaders(request: S3Request): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  let metadataBytes = 0;
  for (const [name, value] of request.headers) {
    if (name.startsWith('x-amz-meta-')) {
      metadataBytes += Buffer.byteLength(name) + Buffer.byteLength(value) - 'x-amz-meta-'.length;
      kept[name] = value;
    } else if (contentHeaders.includes(name)) kept[name] = value;
  }
  if (metadataBytes > maxMetadataBytes) throw new S3Error('MetadataTooLarge');
  return withoutTransferEncoding(kept);
}

/** Removes `aws-chunked`, which belongs to the transfer and not to the object. */
function withoutTransferEncoding(kept: Record<string, string>): Record<string, string> {
  const { 'content-encoding': encoding, ...rest } = kept;
  const encodings = (encoding ?? '').split(',').map((name) => name.trim());
  const own = encodings.filter((name) => name !== '' && name !== 'aws-chunked').join(',');
  return own ? { ...rest, 'content-encoding': own } : rest;
}

/** The headers of the answer to a GET or HEAD. The request's `response-` parameters replace them. */
export function objectHeaders(record: ObjectRecord, request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    'accept-ranges': 'bytes',
    etag: record.entityTag,
    'last-modified': new Date(record.modifiedAtMilliseconds).toUTCString(),
  };
  for (const name of contentHeaders) {
    const replacement = request.query.get(`response-${name}`);
    if (replacement !== undefined) headers[name] = headerText(replacement);
  }
  return headers;
}

/** Encodes a header as UTF-8, because node:http writes one byte for each character. */
function headerText(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new S3Error('InvalidArgument', 'A header value has control characters.');
  return Buffer.from(text, 'utf8').toString('latin1');
}
