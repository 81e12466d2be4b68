import type { Bucket } from '../store/bucket.ts';
import type { ObjectRecord } from '../store/records.ts';
import { S3Error } from '../wire/errors.ts';
import type { S3Request } from '../wire/request.ts';
import { type Answer, answerEmpty, type Operation } from './answer.ts';
import { isUnchanged } from './conditions.ts';
import { checksumHeaders, objectHeaders } from './object-headers.ts';

export const getObject: Operation = async (exchange) => {
  const bucket = exchange.buckets.get(exchange.request.bucket);
  const record = findObject(bucket, exchange.request.key);
  const { answer, range } = describeObject(exchange.request, record);
  if (answer.status === 304) return answer;
  return { ...answer, body: readHeld(bucket, record, range) };
};

export const headObject: Operation = async ({ buckets, request }) => {
  return describeObject(request, findObject(buckets.get(request.bucket), request.key)).answer;
};

export function findObject(bucket: Bucket, key: string): ObjectRecord {
  const record = bucket.objects.get(key);
  if (!record) throw new S3Error('NoSuchKey');
  return record;
}

/** Holds the bytes from now on, so that a later overwrite or deletion does not cut a slow reader. */
function readHeld(bucket: Bucket, record: ObjectRecord, range: ByteRange): AsyncGenerator<Buffer> {
  bucket.segments.hold(record.segments);
  const source = bucket.segments.read(record.segments, range.first, range.last);
  const end = async () => {
    await bucket.segments.release(record.segments);
  };
  return releasing(source, end);
}

/** A generator that was never begun skips its `finally`; this one ends either way. */
function releasing(source: AsyncGenerator<Buffer>, end: () => Promise<void>): AsyncGenerator<Buffer> {
  let ending: Promise<void> | undefined;
  const endOnce = () => {
    ending ??= end();
    return ending;
  };
  const settle = async (step: () => Promise<IteratorResult<Buffer>>) => {
    const result = await step().catch(async (error: unknown) => {
      await endOnce();
      throw error;
    });
    if (result.done) await endOnce();
    return result;
  };
  return {
    next: () => settle(() => source.next()),
    return: (value) => settle(() => source.return(value)),
    throw: (error) => settle(() => source.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await settle(() => source.return(undefined));
    },
  };
}

interface ByteRange {
  first: number;
  last: number;
}

function describeObject(request: S3Request, record: ObjectRecord): { answer: Answer; range: ByteRange } {
  const whole = { first: 0, last: record.bytes - 1 };
  const headers = objectHeaders(record, request);
  if (isUnchanged(request, record)) {
    const { 'content-type': _, ...rest } = headers;
    return { answer: answerEmpty(304, rest), range: whole };
  }
  const range = readRange(request, record);
  if (range) {
    headers['content-range'] = `bytes ${range.first}-${range.last}/${record.bytes}`;
  } else if (request.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    Object.assign(headers, checksumHeaders(record));
  }
  const { first, last } = range ?? whole;
  headers['content-length'] = String(last - first + 1);
  return { answer: answerEmpty(range ? 206 : 200, headers), range: { first, last } };
}

/** One range is honoured; what is not a range, several of them, or one for another version get the whole object. */
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
