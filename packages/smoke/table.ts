import type { Row } from './outcome.ts';

const columns = { check: 34, result: 7, seen: 96 };

/** The first lines of a table in markdown, whose rows follow one by one. */
export const tableHead = (): string[] => [
  line('check', 'result', 'what was seen', 'ms'),
  line('---', '---', '---', '--:'),
];

export const tableRow = ({ check, result, seen, milliseconds }: Row): string =>
  line(check, result, seen.replaceAll('|', '\\|'), String(milliseconds));

const line = (check: string, result: string, seen: string, milliseconds: string): string =>
  `| ${check.padEnd(columns.check)} | ${result.padEnd(columns.result)} | ${seen.padEnd(columns.seen)} | ${milliseconds.padStart(6)} |`;
