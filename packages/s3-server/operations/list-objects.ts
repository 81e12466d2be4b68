import { toIso } from '../clock.ts';
import type { Objects } from '../store/objects.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger } from '../wire/request.ts';
import { answerXml, type Operation } from './answer.ts';

const maxPage = 1000;

export const listObjects: Operation = async ({ buckets, request }) => {
  const { objects } = buckets.get(request.bucket);
  const { query } = request;
  if (query.get('list-type') !== '2')
    throw new S3Error('NotImplemented', 'Objects are listed with list-type=2.');
  const encodingType = query.get('encoding-type');
  if (encodingType !== undefined && encodingType !== 'url') throw new S3Error('InvalidArgument');
  const encode = encodingType === 'url' ? encodeKey : (text: string) => text;
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const maxKeys = Math.min(readInteger('max-keys', query.get('max-keys')) ?? maxPage, maxPage);
  const token = query.get('continuation-token');
  const after = token === undefined ? query.get('start-after') : readToken(token);
  const page = pageOf(objects, { prefix, delimiter, maxKeys, ...(after !== undefined && { after }) });

  return answerXml('ListBucketResult', {
    Name: request.bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    StartAfter: query.has('start-after') ? encode(query.get('start-after') ?? '') : undefined,
    EncodingType: encodingType,
    MaxKeys: maxKeys,
    KeyCount: page.keys.length + page.commonPrefixes.length,
    IsTruncated: page.next !== undefined,
    ContinuationToken: token,
    NextContinuationToken: page.next === undefined ? undefined : Buffer.from(page.next).toString('base64url'),
    Contents: page.keys.map((key) => describe(objects, key, encode)),
    CommonPrefixes: page.commonPrefixes.map((text) => ({ Prefix: encode(text) })),
  });
};

interface PageRequest {
  prefix: string;
  delimiter: string;
  maxKeys: number;
  /** The last key or common prefix of the page before, or where to start. */
  after?: string;
}

interface Page {
  keys: string[];
  commonPrefixes: string[];
  next?: string;
}

function pageOf(objects: Objects, { prefix, delimiter, maxKeys, after }: PageRequest): Page {
  const page: Page = { keys: [], commonPrefixes: [] };
  const afterBytes = Buffer.from(after ?? '');
  let last: string | undefined;
  for (const key of maxKeys === 0 ? [] : objects.sortedKeys()) {
    if (!key.startsWith(prefix)) continue;
    if (after !== undefined && Buffer.compare(Buffer.from(key), afterBytes) <= 0) continue;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const commonPrefix = end < 0 ? undefined : key.slice(0, end + delimiter.length);
    const entry = commonPrefix ?? key;
    if (commonPrefix !== undefined && (entry === last || entry === after)) continue;
    if (page.keys.length + page.commonPrefixes.length === maxKeys) return { ...page, next: last! };
    (commonPrefix === undefined ? page.keys : page.commonPrefixes).push(entry);
    last = entry;
  }
  return page;
}

function describe(objects: Objects, key: string, encode: (text: string) => string) {
  const record = objects.get(key)!;
  return {
    Key: encode(key),
    LastModified: toIso(record.modifiedAtMilliseconds),
    ETag: record.entityTag,
    Size: record.bytes,
    StorageClass: 'STANDARD',
  };
}

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (text === '' || Buffer.from(text).toString('base64url') !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect.');
  }
  return text;
}

const encodeKey = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/');
