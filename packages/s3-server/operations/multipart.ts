import { toIso } from '../clock.ts';
import type { PartRecord } from '../store/records.ts';
import { openBody } from '../wire/body.ts';
import { readAlgorithm } from '../wire/checksums.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger, type S3Request } from '../wire/request.ts';
import { answerEmpty, answerXml, type Operation } from './answer.ts';
import { checksumHeaders, keptHeaders } from './object-headers.ts';

const maxPartNumber = 10_000;
const maxPage = 1000;

export const createUpload: Operation = async ({ buckets, clock, request }) => {
  const algorithm = request.headers.get('x-amz-checksum-algorithm');
  if (request.headers.get('x-amz-checksum-type')?.toUpperCase() === 'FULL_OBJECT') {
    throw new S3Error('NotImplemented', 'Checksums of uploads in parts are composite here.');
  }
  const upload = await buckets.get(request.bucket).uploads.start({
    key: request.key,
    startedAtMilliseconds: clock(),
    headers: keptHeaders(request),
    ...(algorithm && { checksumAlgorithm: readAlgorithm(algorithm) }),
  });
  return answerXml('InitiateMultipartUploadResult', {
    Bucket: request.bucket,
    Key: request.key,
    UploadId: upload.uploadId,
  });
};

export const uploadPart: Operation = async ({ buckets, clock, request, verified }) => {
  const bucket = buckets.get(request.bucket);
  const uploadId = readUploadId(request);
  const partNumber = readInteger('partNumber', request.query.get('partNumber'), maxPartNumber);
  if (!partNumber) throw new S3Error('InvalidArgument', `Part numbers are from 1 to ${maxPartNumber}.`);
  if (request.headers.has('x-amz-copy-source')) throw new S3Error('NotImplemented');
  bucket.uploads.get(uploadId, request.key);
  const body = openBody(request, verified);
  const segment = await bucket.segments.write(body.chunks, () => body.digests().bytes);
  const { md5, checksum } = body.digests();
  const entityTag = `"${md5.toString('hex')}"`;
  const part: PartRecord = {
    partNumber,
    segment,
    entityTag,
    modifiedAtMilliseconds: clock(),
    ...(checksum && { checksum }),
  };
  await bucket.uploads.putPart(uploadId, request.key, part);
  return answerEmpty(200, { etag: entityTag, ...checksumHeaders(part) });
};

export const abortUpload: Operation = async ({ buckets, request }) => {
  const { uploads } = buckets.get(request.bucket);
  const { uploadId } = uploads.get(readUploadId(request), request.key);
  await uploads.remove(uploadId);
  return answerEmpty(204);
};

export const listParts: Operation = async ({ buckets, request }) => {
  const { uploads } = buckets.get(request.bucket);
  const upload = uploads.get(readUploadId(request), request.key);
  const { query } = request;
  const maxParts = Math.min(readInteger('max-parts', query.get('max-parts')) ?? maxPage, maxPage);
  const marker = readInteger('part-number-marker', query.get('part-number-marker')) ?? 0;
  const parts = [...upload.parts.values()]
    .filter((part) => part.partNumber > marker)
    .sort((left, right) => left.partNumber - right.partNumber);
  const page = parts.slice(0, maxParts);
  return answerXml('ListPartsResult', {
    Bucket: request.bucket,
    Key: request.key,
    UploadId: upload.uploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.partNumber,
    MaxParts: maxParts,
    IsTruncated: parts.length > page.length,
    Part: page.map((part) => ({
      PartNumber: part.partNumber,
      LastModified: toIso(part.modifiedAtMilliseconds),
      ETag: part.entityTag,
      Size: part.segment.bytes,
    })),
  });
};

export const listUploads: Operation = async ({ buckets, request }) => {
  const { uploads } = buckets.get(request.bucket);
  const { query } = request;
  const prefix = query.get('prefix') ?? '';
  const maxUploads = Math.min(readInteger('max-uploads', query.get('max-uploads')) ?? maxPage, maxPage);
  const all = uploads.list().filter((upload) => upload.key.startsWith(prefix));
  const markerId = query.get('upload-id-marker');
  const start = markerId === undefined ? 0 : all.findIndex((upload) => upload.uploadId === markerId) + 1;
  const page = all.slice(start, start + maxUploads);
  const isTruncated = all.length > start + page.length;
  return answerXml('ListMultipartUploadsResult', {
    Bucket: request.bucket,
    Prefix: prefix,
    MaxUploads: maxUploads,
    IsTruncated: isTruncated,
    NextKeyMarker: isTruncated ? page.at(-1)?.key : undefined,
    NextUploadIdMarker: isTruncated ? page.at(-1)?.uploadId : undefined,
    Upload: page.map(({ key, uploadId, startedAtMilliseconds }) => ({
      Key: key,
      UploadId: uploadId,
      Initiated: toIso(startedAtMilliseconds),
      StorageClass: 'STANDARD',
    })),
  });
};

export function readUploadId(request: S3Request): string {
  return request.query.get('uploadId') ?? '';
}
