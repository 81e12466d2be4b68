import { expect, it } from 'vitest';
import type { Source } from '../data.ts';
import { claimsOf, makeCitations } from './cite-answer.ts';

const sources: Source[] = [
  { number: 1, kind: 'page', url: 'https://example.com/a', title: 'A page' },
  { number: 2, kind: 'document', filename: 'report.pdf' },
  { number: 3, kind: 'result', url: 'https://example.com/c', snippet: 'C is 7 since 2020' },
];

it('has a citation for each claim and source, with what the source says', () => {
  const answer = 'A is 5 [1][2]. C is 7 [3]. D is 8 [9].';
  const passages = [
    new Map([
      [1, { text: '# A\nA equals 5', quote: 'A equals 5' }],
      [2, { text: 'five', place: 'page 12' }],
    ]),
    undefined,
    new Map(),
  ];
  expect(makeCitations(claimsOf(answer, sources), sources, passages, [0.9, undefined])).toEqual([
    {
      type: 'url_citation',
      url: 'https://example.com/a',
      title: 'A page',
      number: 1,
      startIndex: 0,
      endIndex: 6,
      passage: '# A\nA equals 5',
      quote: 'A equals 5',
      support: 0.9,
    },
    {
      type: 'file_citation',
      filename: 'report.pdf',
      number: 2,
      startIndex: 0,
      endIndex: 6,
      passage: 'five',
      place: 'page 12',
      support: 0.9,
    },
    {
      type: 'url_citation',
      url: 'https://example.com/c',
      title: 'https://example.com/c',
      number: 3,
      startIndex: 15,
      endIndex: 21,
      passage: 'C is 7 since 2020',
    },
  ]);
});
