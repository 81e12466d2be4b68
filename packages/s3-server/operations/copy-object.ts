import { toIso } from '../clock.ts';
import type { Bucket } from '../store/bucket.ts';
import type { ObjectRecord } from '../store/records.ts';
import type { Segment } from '../store/segments.ts';
import { S3Error } from '../wire/errors.ts';
import { splitPath } from '../wire/request.ts';
import { answerXml, type Operation } from './answer.ts';
import { allowWrite } from './conditions.ts';
import { findObject } from './get-object.ts';
import { keptHeaders } from './object-headers.ts';

export const copyObject: Operation = async ({ buckets, clock, request }) => {
  const [sourceBucketName, sourceKey] = splitPath(request.headers.get('x-amz-copy-source') ?? '');
  if (sourceKey.includes('?versionId=')) throw new S3Error('NotImplemented');
  const bucket = buckets.get(request.bucket);
  const sourceBucket = buckets.get(sourceBucketName);
  const source = findObject(sourceBucket, sourceKey);
  const isReplacing = request.headers.get('x-amz-metadata-directive')?.toUpperCase() === 'REPLACE';
  if (sourceBucket === bucket && sourceKey === request.key && !isReplacing) {
    throw new S3Error('InvalidRequest', 'An object can be copied onto itself only to change its metadata.');
  }
  const headers = isReplacing ? keptHeaders(request) : source.headers;

  const segments = await shareSegments(sourceBucket, bucket, source);
  const modifiedAtMilliseconds = clock();
  await bucket.objects.put(
    { ...source, key: request.key, headers, segments, modifiedAtMilliseconds },
    allowWrite(request),
  );
  return answerXml('CopyObjectResult', {
    ETag: source.entityTag,
    LastModified: toIso(modifiedAtMilliseconds),
  });
};

/** Segments that the caller holds in the target's bucket: the same ones, or a copy if that is another bucket. */
async function shareSegments(from: Bucket, to: Bucket, source: ObjectRecord): Promise<Segment[]> {
  from.segments.hold(source.segments);
  if (from === to) return source.segments;
  const chunks = from.segments.read(source.segments, 0, source.bytes - 1);
  try {
    return [await to.segments.write(chunks, () => source.bytes)];
  } finally {
    await from.segments.release(source.segments);
  }
}
