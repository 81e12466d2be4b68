import { type Row, taken, testRows } from '../test-tables.ts';
import { uploadProblems } from './uploads.ts';

const part = (PartNumber: number, verdict: string): Row => [
  `part ${PartNumber}`,
  verdict,
  'UploadPart',
  { PartNumber, UploadId: 'u' },
];
const complete = (what: string, verdict: string, numbers: number[]): Row => [
  what,
  verdict,
  'CompleteMultipartUpload',
  { UploadId: 'u', MultipartUpload: { Parts: numbers.map((PartNumber) => ({ PartNumber })) } },
];

testRows(uploadProblems, [
  part(1, taken),
  part(10_000, taken),
  part(0, "0 is no part's number"),
  part(10_001, "10001 is no part's number"),
  complete('parts with gaps', taken, [1, 3, 10_000]),
  complete('parts out of order', 'do not ascend', [2, 1]),
  complete('a part twice', 'do not ascend', [1, 1]),
  complete('no parts', 'without any', []),
  ['an empty id', 'UploadId is empty', 'AbortMultipartUpload', { UploadId: '' }],
]);
