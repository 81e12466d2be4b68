import { toIso } from '../clock.ts';
import { readText } from '../wire/body.ts';
import { S3Error } from '../wire/errors.ts';
import { answerEmpty, answerXml, type Operation } from './answer.ts';
import { describeLifecycle, readLifecycle } from './lifecycle-rules.ts';

export const listBuckets: Operation = async ({ buckets }) => {
  const Bucket = buckets.list().map(({ record }) => ({
    Name: record.name,
    CreationDate: toIso(record.createdAtMilliseconds),
  }));
  return answerXml('ListAllMyBucketsResult', { Buckets: { Bucket } });
};

export const createBucket: Operation = async ({ buckets, request, verified }) => {
  await readText(request, verified);
  if (!(await buckets.ensure(request.bucket))) throw new S3Error('BucketAlreadyOwnedByYou');
  return answerEmpty(200, { location: `/${request.bucket}` });
};

export const headBucket: Operation = async ({ buckets, request }) => {
  buckets.get(request.bucket);
  return answerEmpty(200);
};

export const putLifecycle: Operation = async ({ buckets, request, verified }) => {
  const bucket = buckets.get(request.bucket);
  await bucket.setLifecycle(readLifecycle(await readText(request, verified)));
  return answerEmpty(200);
};

export const getLifecycle: Operation = async ({ buckets, request }) => {
  const rules = buckets.get(request.bucket).record.lifecycle;
  if (!rules) throw new S3Error('NoSuchLifecycleConfiguration');
  return answerXml('LifecycleConfiguration', { Rule: rules.map(describeLifecycle) });
};
