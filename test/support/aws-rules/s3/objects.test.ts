import { type Row, taken, testRows } from '../test-tables.ts';
import { objectProblems } from './objects.ts';

const put = (what: string, verdict: string, more: object): Row => [
  what,
  verdict,
  'PutObject',
  { Bucket: 'files', Key: 'k', ...more },
];
const deletion = (count: number) => ({
  Delete: { Objects: Array.from({ length: count }, () => ({ Key: 'k' })) },
});

testRows(objectProblems, [
  put('a key of 1,024 bytes', taken, { Key: 'é'.repeat(512) }),
  put('a key of 1,026 bytes', 'keys: 1026 bytes', { Key: 'é'.repeat(513) }),
  put('an empty key', 'keys: 0 bytes', { Key: '' }),
  put('2 KB of metadata', taken, { Metadata: { abcd: 'x'.repeat(2_044) } }),
  put('more metadata', 'metadata: 2049 bytes', { Metadata: { abcd: 'x'.repeat(2_045) } }),
  put('metadata in another script', 'no header of ASCII', { Metadata: { name: '名' } }),
  put('5 GiB', taken, { ContentLength: 5 * 1_024 ** 3 }),
  put('a byte more', 'object size', { ContentLength: 5 * 1_024 ** 3 + 1 }),
  ['1,000 deletions', taken, 'DeleteObjects', deletion(1_000)],
  ['1,001 deletions', 'deletions: 1001 keys', 'DeleteObjects', deletion(1_001)],
  ['no deletion', 'deletions: 0 keys', 'DeleteObjects', deletion(0)],
  [
    'a name in Latin letters',
    taken,
    'GetObject',
    { ResponseContentDisposition: 'attachment; filename="grün"' },
  ],
  [
    'a name in others',
    'ISO 8859-1',
    'GetObject',
    { ResponseContentDisposition: 'attachment; filename="名"' },
  ],
]);
