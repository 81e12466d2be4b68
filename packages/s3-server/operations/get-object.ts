import type { Bucket } from '../store/bucket.ts';
import type { ObjectRecord } from '../store/records.ts';
import { S3Error } from '../wire/errors.ts';
import type { S3Request } from '../wire/request.ts';
import { type Answer, answerEmpty, type Operation } from './answer.ts';
import { objectHeaders } from './object-headers.ts';

export const getObject: Operation = async ({ bucket, request }) => {
  const record = findObject(bucket, request.key);
  const { answer, range } = describeObject(request, record);
  if (answer.status === 304) return answer;
  const { segments } = bucket;
  // The segments are held from now on: an overwrite or a deletion must not cut off a slow reader.
  segments.hold(record.segments);
  return {
    ...answer,
    body: segments.read(record.segments, range.first, range.last),
    release: () => segments.release(record.segments),
  };
};

export const headObject: Operation = async ({ bucket, request }) =>
  describeObject(request, findObject(bucket, request.key)).answer;

function findObject(bucket: Bucket, key: string): ObjectRecord {
  const record = bucket.objects.get(key);
  if (!record) throw new S3Error('NoSuchKey');
  return record;
}

/** The positions of the first and the last byte, both included. */
interface ByteRange {
  first: number;
  last: number;
}

function describeObject(request: S3Request, record: ObjectRecord): { answer: Answer; range: ByteRange } {
  const whole = { first: 0, last: record.bytes - 1 };
  const headers = objectHeaders(record, request);
  if (hasCurrentCopy(request, record)) {
    const { 'content-type': _, ...rest } = headers;
    return { answer: answerEmpty(304, rest), range: whole };
  }
  const range = readRange(request, record);
  if (range) headers['content-range'] = `bytes ${range.first}-${range.last}/${record.bytes}`;
  const { first, last } = range ?? whole;
  headers['content-length'] = String(last - first + 1);
  return { answer: answerEmpty(range ? 206 : 200, headers), range: { first, last } };
}

/** Whether the client's copy is current. Tags go before dates. Throws `PreconditionFailed` if the object changed. */
function hasCurrentCopy({ headers }: S3Request, record: ObjectRecord): boolean {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')];
  const modifiedAt = Math.floor(record.modifiedAtMilliseconds / 1000) * 1000;
  // Comparing with NaN, the date of a missing header, is always false.
  const dateOf = (name: string) => Date.parse(headers.get(name) ?? '');
  const hasChanged = match === undefined ? modifiedAt > dateOf('if-unmodified-since') : !names(match, record);
  if (hasChanged) throw new S3Error('PreconditionFailed');
  return noneMatch === undefined ? modifiedAt <= dateOf('if-modified-since') : names(noneMatch, record);
}

function names(condition: string, { entityTag }: ObjectRecord): boolean {
  const tags = condition.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(entityTag);
}

/** Undefined if the whole object is sent, as S3 does for several ranges, a malformed one or one of another version. */
function readRange(request: S3Request, record: ObjectRecord): ByteRange | undefined {
  const condition = request.headers.get('if-range');
  if (condition !== undefined && condition !== record.entityTag) return undefined;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('range')?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(record.bytes - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? record.bytes - 1 : Math.min(Number(to), record.bytes - 1);
  if (first > last) {
    throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${record.bytes}` });
  }
  return { first, last };
}
