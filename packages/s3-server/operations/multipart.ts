import { toIso } from '../clock.ts';
import type { PartRecord } from '../store/records.ts';
import { openBody } from '../wire/body.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger, type S3Request } from '../wire/request.ts';
import { answerEmpty, answerXml, type Operation } from './answer.ts';
import { keptHeaders } from './object-headers.ts';

const maxPartNumber = 10_000;

export const createUpload: Operation = async ({ bucket, clock, request }) => {
  const checksum = request.headers.get('x-amz-checksum-algorithm') ?? 'CRC32';
  if (checksum !== 'CRC32')
    throw new S3Error('NotImplemented', `Checksums by ${checksum} are not offered here.`);
  const upload = await bucket.uploads.start({
    key: request.key,
    startedAtMilliseconds: clock(),
    headers: keptHeaders(request),
  });
  return answerXml('InitiateMultipartUploadResult', {
    Bucket: request.bucket,
    Key: request.key,
    UploadId: upload.uploadId,
  });
};

export const uploadPart: Operation = async ({ bucket, request, payloadHash }) => {
  const uploadId = readUploadId(request);
  const partNumber = readInteger('partNumber', request.query.get('partNumber'), maxPartNumber);
  if (!partNumber) throw new S3Error('InvalidArgument', `Part numbers are from 1 to ${maxPartNumber}.`);
  bucket.uploads.get(uploadId, request.key);
  const body = openBody(request, payloadHash);
  const segment = await bucket.segments.write(body);
  const part: PartRecord = { partNumber, segment, entityTag: body.entityTag() };
  await bucket.uploads.putPart(uploadId, request.key, part);
  return answerEmpty(200, { etag: part.entityTag });
};

export const abortUpload: Operation = async ({ bucket, request }) => {
  const { uploadId } = bucket.uploads.get(readUploadId(request), request.key);
  await bucket.uploads.remove(uploadId);
  return answerEmpty(204);
};

/** Lists all uploads in one page. */
export const listUploads: Operation = async ({ bucket, request }) =>
  answerXml('ListMultipartUploadsResult', {
    Bucket: request.bucket,
    IsTruncated: false,
    Upload: bucket.uploads
      .list()
      .filter(({ key }) => key.startsWith(request.query.get('prefix') ?? ''))
      .map(({ key, uploadId, startedAtMilliseconds }) => ({
        Key: key,
        UploadId: uploadId,
        Initiated: toIso(startedAtMilliseconds),
        StorageClass: 'STANDARD',
      })),
  });

export const readUploadId = (request: S3Request): string => request.query.get('uploadId') ?? '';
