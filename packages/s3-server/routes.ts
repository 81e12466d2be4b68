import type { Operation } from './operations/answer.ts';
import {
  createBucket,
  getLifecycle,
  headBucket,
  listBuckets,
  putLifecycle,
} from './operations/bucket-operations.ts';
import { completeUpload } from './operations/complete-upload.ts';
import { copyObject } from './operations/copy-object.ts';
import { deleteObject, deleteObjects } from './operations/delete-objects.ts';
import { getObject, headObject } from './operations/get-object.ts';
import { listObjects } from './operations/list-objects.ts';
import { abortUpload, createUpload, listParts, listUploads, uploadPart } from './operations/multipart.ts';
import { putObject } from './operations/put-object.ts';
import { S3Error } from './wire/errors.ts';
import type { S3Request } from './wire/request.ts';

/** A parameter in a route's name must be there for the route to be taken; the first that fits is. */
const bucketRoutes: Record<string, Operation> = {
  'PUT ?lifecycle': putLifecycle,
  'GET ?lifecycle': getLifecycle,
  'GET ?uploads': listUploads,
  'POST ?delete': deleteObjects,
  PUT: createBucket,
  HEAD: headBucket,
  GET: listObjects,
};

const objectRoutes: Record<string, Operation> = {
  'PUT ?uploadId': uploadPart,
  'GET ?uploadId': listParts,
  'DELETE ?uploadId': abortUpload,
  'POST ?uploads': createUpload,
  'POST ?uploadId': completeUpload,
  PUT: putObject,
  GET: getObject,
  HEAD: headObject,
  DELETE: deleteObject,
};

const routeParameters = ['lifecycle', 'uploads', 'delete', 'uploadId'];

/** Parameters that choose no operation. Any other asks for something that would silently not be done. */
const options = new Set([
  'x-id',
  ...['list-type', 'prefix', 'delimiter', 'start-after', 'continuation-token', 'max-keys', 'encoding-type'],
  ...['fetch-owner', 'max-uploads', 'key-marker', 'upload-id-marker'],
  ...['partNumber', 'max-parts', 'part-number-marker'],
]);

export function findOperation(request: S3Request): Operation {
  const { method, bucket, key, query } = request;
  for (const name of query.keys()) {
    const isKnown = options.has(name) || routeParameters.includes(name) || /^(x-amz-|response-)/i.test(name);
    if (!isKnown) throw new S3Error('NotImplemented', `The parameter ${name} is not offered here.`);
  }
  if (bucket === '') return method === 'GET' ? listBuckets : notAllowed();
  if (method === 'PUT' && key !== '' && request.headers.has('x-amz-copy-source') && !query.has('uploadId')) {
    return copyObject;
  }
  const parameter = routeParameters.find((name) => query.has(name));
  const name = parameter === undefined ? method : `${method} ?${parameter}`;
  return (key === '' ? bucketRoutes : objectRoutes)[name] ?? notAllowed();
}

function notAllowed(): never {
  throw new S3Error('MethodNotAllowed');
}
