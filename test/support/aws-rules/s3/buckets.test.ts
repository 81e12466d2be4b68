import { type Row, taken, testRows } from '../test-tables.ts';
import { bucketProblems } from './buckets.ts';

const bucket = (Bucket: string, verdict: string): Row => [
  `the bucket ${Bucket}`,
  verdict,
  'HeadBucket',
  { Bucket },
];
const none = 'no bucket has the name';

testRows(bucketProblems, [
  ...['abc', 'errand-dev.files-1', 'x'.repeat(63)].map((name) => bucket(name, taken)),
  ...['ab', 'x'.repeat(64), 'Files', 'my_files', '-files', 'files.', 'a..b', '10.0.0.1'].map((name) =>
    bucket(name, none),
  ),
  ...['xn--files', 'sthree-files', 'amzn-s3-demo-files'].map((name) => bucket(name, none)),
  ...['files-s3alias', 'files--ol-s3', 'files.mrap', 'files--x-s3', 'files--table-s3'].map((name) =>
    bucket(name, none),
  ),
]);
