import type { Rule } from '../sent.ts';

const name = /^(?=.{3,63}$)[a-z0-9][a-z0-9.-]*[a-z0-9]$/;
const address = /^\d+\.\d+\.\d+\.\d+$/;
const reservedStarts = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedEnds = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** Names of buckets. */
export const bucketProblems: Rule = ({ input: { Bucket: bucket } }) => {
  if (bucket === undefined) return [];
  const isName =
    name.test(bucket) &&
    !bucket.includes('..') &&
    !address.test(bucket) &&
    !reservedStarts.some((start) => bucket.startsWith(start)) &&
    !reservedEnds.some((end) => bucket.endsWith(end));
  return isName ? [] : [`names: no bucket has the name ${bucket}`];
};
