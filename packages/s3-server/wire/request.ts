import type { IncomingMessage } from 'node:http';
import { S3Error } from './errors.ts';

/** A request with its target decoded. */
export interface S3Request {
  method: string;
  /** The path as sent, still escaped and without the query. */
  path: string;
  bucket: string;
  key: string;
  query: ReadonlyMap<string, string>;
  /** Lower-case names; repeated headers are joined by a comma. */
  sentHeaders: ReadonlyMap<string, string>;
  /** The sent headers, and the `x-amz-` headers in the query of a presigned link. */
  headers: ReadonlyMap<string, string>;
  message: IncomingMessage;
}

const maxKeyBytes = 1024;

export function readRequest(message: IncomingMessage): S3Request {
  const target = message.url ?? '/';
  const queryStart = target.indexOf('?');
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  const [bucket, key] = splitPath(path);
  const sentHeaders = new Map<string, string>();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (values) sentHeaders.set(name, values.join(','));
  }
  const query = readQuery(queryStart < 0 ? '' : target.slice(queryStart + 1));
  const headers = new Map([...hoistedHeaders(query), ...sentHeaders]);
  return { method: message.method ?? 'GET', path, bucket, key, query, sentHeaders, headers, message };
}

/** The SDK presigns a PUT with the checksum of an empty body in its query. S3 ignores it, and so does this. */
function hoistedHeaders(query: ReadonlyMap<string, string>): [string, string][] {
  return [...query]
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => name.startsWith('x-amz-') && !name.startsWith('x-amz-checksum-'));
}

/** `/bucket/key`: the key is all that follows, slashes and dots included. */
function splitPath(path: string): [bucket: string, key: string] {
  const [, bucket = '', key = ''] = /^\/?([^/]*)\/?([\s\S]*)$/.exec(path) ?? [];
  const decodedKey = decode(key);
  if (Buffer.byteLength(decodedKey) > maxKeyBytes) throw new S3Error('KeyTooLongError');
  return [decode(bucket), decodedKey];
}

function readQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...value] = pair.split('=');
    const decodedName = decode(name.replaceAll('+', ' '));
    if (query.has(decodedName))
      throw new S3Error('InvalidArgument', `The parameter ${decodedName} is repeated.`);
    query.set(decodedName, decode(value.join('=').replaceAll('+', ' ')));
  }
  return query;
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

/** Reads a whole number from a header or a parameter. Throws InvalidArgument. */
export function readInteger(
  name: string,
  text: string | undefined,
  maximum = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= maximum))
    throw new S3Error('InvalidArgument', `${name} must be a whole number up to ${maximum}.`);
  return number;
}
