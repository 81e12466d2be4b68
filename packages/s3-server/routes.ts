import type { Operation } from './operations/answer.ts';
import { completeUpload } from './operations/complete-upload.ts';
import { copyObject } from './operations/copy-object.ts';
import { deleteObject, deleteObjects } from './operations/delete-objects.ts';
import { getObject, headObject } from './operations/get-object.ts';
import { listObjects } from './operations/list-objects.ts';
import { abortUpload, createUpload, listUploads, uploadPart } from './operations/multipart.ts';
import { putObject } from './operations/put-object.ts';
import { S3Error } from './wire/errors.ts';
import type { S3Request } from './wire/request.ts';

/**
 * In a route's name, `?uploads` stands for requests with the parameter `uploads`, and `copy` for those with a source.
 */
const bucketRoutes: Record<string, Operation> = {
  'GET ?uploads': listUploads,
  'POST ?delete': deleteObjects,
  GET: listObjects,
};

const objectRoutes: Record<string, Operation> = {
  'PUT ?uploadId': uploadPart,
  'DELETE ?uploadId': abortUpload,
  'POST ?uploads': createUpload,
  'POST ?uploadId': completeUpload,
  PUT: putObject,
  'PUT copy': copyObject,
  GET: getObject,
  HEAD: headObject,
  DELETE: deleteObject,
};

const routeParameters = ['uploads', 'delete', 'uploadId'];
const otherParameters = ['x-id', 'list-type', 'prefix', 'continuation-token', 'max-keys', 'partNumber'];

const amazonHeaders = [
  ...['algorithm', 'credential', 'date', 'expires', 'signedheaders', 'signature', 'security-token'],
  ...['content-sha256', 'decoded-content-length', 'trailer', 'checksum-crc32', 'sdk-checksum-algorithm'],
  ...['checksum-algorithm', 'copy-source'],
  ...['checksum-mode', 'user-agent'],
].map((name) => `x-amz-${name}`);

/** Browsers send these headers to resume a download. */
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

export function findOperation(request: S3Request): Operation {
  refuseUnknown(request);
  const { method, bucket, key, query, headers } = request;
  const parameter = routeParameters.find((name) => query.has(name));
  const plain = headers.has('x-amz-copy-source') ? `${method} copy` : method;
  const name = parameter === undefined ? plain : `${plain} ?${parameter}`;
  const operation = bucket === '' ? undefined : (key === '' ? bucketRoutes : objectRoutes)[name];
  if (!operation) throw new S3Error('MethodNotAllowed');
  return operation;
}

/** Refuses unknown parameters and headers, because what they ask for would silently not be done. */
function refuseUnknown({ method, query, headers }: S3Request): void {
  for (const name of query.keys()) {
    const isKnown = routeParameters.includes(name) || otherParameters.includes(name);
    if (!isKnown && !/^(x-amz-|response-)/i.test(name)) throw notOffered('parameter', name);
  }
  for (const name of headers.keys()) {
    const isRead = method === 'GET' || method === 'HEAD';
    if (conditions.includes(name) && !isRead) throw notOffered('header', name);
    if (!name.startsWith('x-amz-') || name.startsWith('x-amz-meta-')) continue;
    if (!amazonHeaders.includes(name)) throw notOffered('header', name);
  }
}

const notOffered = (kind: string, name: string) =>
  new S3Error('NotImplemented', `The ${kind} ${name} is not offered here.`);
