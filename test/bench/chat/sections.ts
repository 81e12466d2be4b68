import type { ColumnName } from './tables.ts';
import type { Load } from './target.ts';

/** The names that `--only` takes. */
export const parts = ['paced', 'long', 'unpaced', 'plain', 'memory', 'lambda'] as const;
export type Part = (typeof parts)[number];

/** The loads of one table. */
export interface Section {
  part: Part;
  title: string;
  /** The loads of one round. */
  loads: Load[];
  columns: ColumnName[];
}

const streams = (kind: Load['kind'], chunks: number, totals: Record<number, number>): Load[] =>
  Object.entries(totals).map(([atOnce, total]) => ({ kind, chunks, atOnce: Number(atOnce), total }));

/** One target takes six or seven seconds for a round of all sections. */
export const serverSections: Section[] = [
  {
    part: 'paced',
    title: '200 chunks, one a millisecond',
    loads: streams('paced', 200, { 1: 4, 16: 64, 64: 128 }),
    columns: ['atOnce', 'firstContent', 'lag', 'perSecond', 'cpu', 'store', 'all', 'memory', 'errors'],
  },
  {
    part: 'long',
    title: '2,000 chunks, one a millisecond',
    loads: streams('paced', 2_000, { 16: 16 }),
    columns: ['atOnce', 'firstContent', 'lag', 'cpu', 'store', 'all', 'memory', 'errors'],
  },
  {
    part: 'unpaced',
    title: '200 chunks, as fast as they go',
    loads: streams('unpaced', 200, { 1: 40, 16: 240, 64: 240 }),
    columns: ['atOnce', 'firstContent', 'perSecond', 'cpu', 'store', 'all', 'memory', 'errors'],
  },
  {
    part: 'plain',
    title: 'Plain JSON answers',
    loads: streams('plain', 50, { 1: 200, 16: 640, 64: 640 }),
    columns: ['atOnce', 'answer', 'perSecond', 'cpu', 'store', 'all', 'errors'],
  },
];

export const lambdaSections: Section[] = [
  { chunks: 200, total: 4 },
  { chunks: 2_000, total: 1 },
].map(({ chunks, total }) => ({
  part: 'lambda',
  title: `On Lambda: ${chunks.toLocaleString('en')} chunks, one a millisecond`,
  loads: streams('paced', chunks, { 1: total }),
  columns: ['firstContent', 'lag', 'duration', 'cpu', 'store', 'all', 'memory', 'errors'],
}));

/** Runs before the first round, so that compiled code is measured and not its compiler. */
export const serverWarmUp: Load[] = [
  { kind: 'unpaced', chunks: 200, atOnce: 16, total: 640 },
  { kind: 'paced', chunks: 200, atOnce: 16, total: 240 },
  { kind: 'plain', chunks: 50, atOnce: 16, total: 2_000 },
];
export const lambdaWarmUp: Load[] = [
  { kind: 'unpaced', chunks: 200, atOnce: 1, total: 200 },
  { kind: 'paced', chunks: 200, atOnce: 1, total: 10 },
];

/** Shows whether memory grows with the number of streams. */
export const manyStreams: Load = { kind: 'unpaced', chunks: 200, atOnce: 64, total: 1_000 };
