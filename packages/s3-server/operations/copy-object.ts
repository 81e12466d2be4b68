import { toIso } from '../clock.ts';
import { readText } from '../wire/body.ts';
import { S3Error } from '../wire/errors.ts';
import { decode, type S3Request } from '../wire/request.ts';
import { answerXml, type Operation } from './answer.ts';

/** The copy shares the source's segments, which never change, so that no byte is written and none can be missing. */
export const copyObject: Operation = async ({ bucket, clock, request, payloadHash }) => {
  const sourceKey = readSource(request);
  await readText(request, payloadHash, 0);
  const source = bucket.objects.get(sourceKey);
  if (!source) throw new S3Error('NoSuchKey');
  const record = { ...source, key: request.key, modifiedAtMilliseconds: clock() };
  bucket.segments.hold(record.segments);
  await bucket.objects.put(record);
  return answerXml('CopyObjectResult', {
    LastModified: toIso(record.modifiedAtMilliseconds),
    ETag: record.entityTag,
  });
};

/** `bucket/key` or `/bucket/key`, percent-encoded. As in a form, a plus stands for a space. */
function readSource({ headers, bucket, key }: S3Request): string {
  const sent = headers.get('x-amz-copy-source') ?? '';
  if (sent.includes('?')) throw new S3Error('NotImplemented', 'Versions of objects are not offered here.');
  const text = decode(sent.replaceAll('+', ' '));
  const [, sourceBucket, sourceKey] = /^\/?([^/]+)\/([\s\S]+)$/.exec(text) ?? [];
  if (sourceKey === undefined) throw new S3Error('InvalidArgument', 'x-amz-copy-source must be bucket/key.');
  if (sourceBucket !== bucket)
    throw new S3Error('NotImplemented', 'Copies from another bucket are not offered here.');
  if (sourceKey === key) throw new S3Error('InvalidRequest', 'An object cannot be copied onto itself.');
  return sourceKey;
}
