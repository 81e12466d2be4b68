import { expect, test } from 'vitest';
import { groupIntoLines, lineText, type PdfTextItem } from './lines.ts';

const word = (text: string, x: number, width: number): PdfTextItem => ({
  text,
  x,
  y: 100,
  width,
  size: 10,
  isRightToLeft: /[\u0590-\u06ff]/.test(text),
});

const read = (items: PdfTextItem[]): string[] => groupIntoLines(items).map(lineText);

const quoted = [word('«', 200, 8), word('ذاتي', 208, 24), word('إختبار', 236, 31), word('»', 267, 8)];

test.each([
  ['left to right', quoted],
  ['right to left', quoted.toReversed()],
])('Arabic that is drawn from %s reads from the right, with its signs mirrored', (_, items) => {
  expect(read(items)).toEqual(['«إختبار ذاتي»']);
});

test('a run of another script within Arabic keeps its own order', () => {
  const items = [word('سنة', 10, 20), word('May', 35, 20), word('2026', 58, 22), word('في', 85, 12)];
  expect(read(items)).toEqual(['في May 2026 سنة']);
});

test('an Arabic word in an English line changes nothing of the line', () => {
  expect(read([word('The word', 10, 40), word('العربية', 55, 30), word('is here', 90, 40)])).toEqual([
    'The word العربية is here',
  ]);
});

test('columns of an Arabic line are read from the right', () => {
  const line = groupIntoLines([word('الثاني', 50, 30), word('الأول', 300, 30)])[0]!;
  expect(line.segments.map(({ x }) => x)).toEqual([50, 300]);
  expect(lineText(line)).toBe('الأول الثاني');
});

test('text that is drawn back to the left of what stands there starts a line of its own', () => {
  expect(read([word('right', 300, 30), word('left', 50, 30)])).toEqual(['right', 'left']);
});
