import { createHash } from 'node:crypto';
import type { ObjectRecord, PartRecord } from '../store/records.ts';
import type { Upload } from '../store/uploads.ts';
import { readText } from '../wire/body.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger } from '../wire/request.ts';
import { childrenOf, childText, readXml } from '../wire/xml.ts';
import { answerXml, type Operation } from './answer.ts';
import { readUploadId } from './multipart.ts';

const minPartBytes = 5 * 1024 ** 2;

export const completeUpload: Operation = async ({ bucket, clock, request, payloadHash }) => {
  const uploadId = readUploadId(request);
  bucket.uploads.get(uploadId, request.key);
  const document = await readText(request, payloadHash);
  const upload = bucket.uploads.get(uploadId, request.key);
  const parts = chooseParts(upload, document);
  const segments = parts.map((part) => part.segment);
  const record: ObjectRecord = {
    key: upload.key,
    segments,
    bytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    entityTag: compositeTag(parts),
    modifiedAtMilliseconds: clock(),
    headers: upload.headers,
  };
  bucket.segments.hold(segments);
  await bucket.objects.put(record);
  await bucket.uploads.remove(uploadId);
  return answerXml('CompleteMultipartUploadResult', {
    Location: `/${request.bucket}/${request.key}`,
    Bucket: request.bucket,
    Key: request.key,
    ETag: record.entityTag,
  });
};

function chooseParts(upload: Upload, text: string): PartRecord[] {
  const document = readXml(text);
  const wanted = childrenOf(document, 'Part');
  if (document.name !== 'CompleteMultipartUpload' || wanted.length === 0) throw new S3Error('MalformedXML');
  let previous = 0;
  const parts = wanted.map((element) => {
    const partNumber = readInteger('PartNumber', childText(element, 'PartNumber')) ?? 0;
    if (partNumber <= previous) throw new S3Error('InvalidPartOrder');
    previous = partNumber;
    const part = upload.parts.get(partNumber);
    const entityTag = childText(element, 'ETag')?.replaceAll('"', '');
    if (!part || entityTag !== part.entityTag.replaceAll('"', '')) throw new S3Error('InvalidPart');
    return part;
  });
  if (parts.slice(0, -1).some((part) => part.segment.bytes < minPartBytes))
    throw new S3Error('EntityTooSmall');
  return parts;
}

/** S3's entity tag of an object in parts: the MD5 of the parts' MD5s, and the number of parts. */
function compositeTag(parts: readonly PartRecord[]): string {
  const hash = createHash('md5');
  for (const part of parts) hash.update(Buffer.from(part.entityTag.replaceAll('"', ''), 'hex'));
  return `"${hash.digest('hex')}-${parts.length}"`;
}
