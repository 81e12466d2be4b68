import { toIso } from '../clock.ts';
import type { Objects } from '../store/objects.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger } from '../wire/request.ts';
import { answerXml, type Operation } from './answer.ts';

const maxPage = 1000;

export const listObjects: Operation = async ({ bucket: { objects }, request }) => {
  const { query } = request;
  if (query.get('list-type') !== '2')
    throw new S3Error('NotImplemented', 'Objects are listed with list-type=2.');
  const prefix = query.get('prefix') ?? '';
  const maxKeys = Math.min(readInteger('max-keys', query.get('max-keys')) ?? maxPage, maxPage);
  const token = query.get('continuation-token');
  const after = token === undefined ? undefined : readToken(token);
  const keys = keysAfter(objects, prefix, after);
  const page = keys.slice(0, maxKeys);
  const last = keys.length > page.length ? page.at(-1) : undefined;

  return answerXml('ListBucketResult', {
    Name: request.bucket,
    Prefix: prefix,
    MaxKeys: maxKeys,
    KeyCount: page.length,
    IsTruncated: last !== undefined,
    ContinuationToken: token,
    NextContinuationToken: last === undefined ? undefined : Buffer.from(last).toString('base64url'),
    Contents: page.map((key) => describe(objects, key)),
  });
};

function keysAfter(objects: Objects, prefix: string, after: string | undefined): string[] {
  const afterBytes = after === undefined ? undefined : Buffer.from(after);
  return objects
    .sortedKeys()
    .filter((key) => key.startsWith(prefix))
    .filter((key) => !afterBytes || Buffer.compare(Buffer.from(key), afterBytes) > 0);
}

function describe(objects: Objects, key: string) {
  const record = objects.get(key)!;
  return {
    Key: key,
    LastModified: toIso(record.modifiedAtMilliseconds),
    ETag: record.entityTag,
    Size: record.bytes,
    StorageClass: 'STANDARD',
  };
}

/** A token is the last key of the previous page, in base64url. */
function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (text === '' || Buffer.from(text).toString('base64url') !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect.');
  }
  return text;
}
