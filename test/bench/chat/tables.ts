import { milliseconds, percentiles, printTable } from '../figures.ts';
import { errorsOf, type Figures, leastOf, medianOf, type Row } from './measure.ts';
import type { Section } from './sections.ts';

export type ColumnName = keyof typeof columns;

const digits = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));
const firstContent = (row: Row): string =>
  `${digits(medianOf(row, 'firstContent'))} / ${digits(percentiles(row.firstContent).p99)} ms`;

const columns = {
  atOnce: { head: 'at once', cell: ({ load }: Row) => String(load.atOnce) },
  firstContent: { head: 'first content p50 / p99', cell: firstContent },
  answer: { head: 'answer p50 / p99', cell: firstContent },
  lag: {
    head: 'lag of a chunk p50 / p99',
    cell: (row: Row) => `${digits(medianOf(row, 'lag'))} / ${digits(percentiles(row.lags).p99)} ms`,
  },
  duration: { head: 'duration p50', cell: (row: Row) => milliseconds(medianOf(row, 'duration')) },
  perSecond: { head: 'a second', cell: (row: Row) => medianOf(row, 'perSecond').toFixed(0) },
  cpu: { head: 'CPU', cell: (row: Row) => taken(medianOf(row, 'cpu')) },
  store: { head: 'CPU of its store', cell: (row: Row) => taken(medianOf(row, 'storeCpu')) },
  all: { head: 'CPU of both', cell: (row: Row) => taken(medianOf(row, 'allCpu')) },
  memory: { head: 'memory', cell: (row: Row) => megabytes(medianOf(row, 'megabytes')) },
  errors: { head: 'errors', cell: (row: Row) => String(errorsOf(row)) },
};

/** An empty cell where no process was measured. */
const taken = (cpu: number): string => (cpu === 0 ? '' : `${digits(cpu)} ms`);
const megabytes = (value: number): string => (value === 0 ? '' : `${value.toFixed(0)} MB`);

/** Prints a table for each section. A p99 is taken over all rounds; everything else is the median of the rounds. */
export function printSections(sections: readonly Section[], rows: readonly Row[]): void {
  for (const section of sections) {
    const shown = section.columns.map((name) => columns[name]);
    const heads = shown.map(({ head }) => head);
    console.log(`\n${section.title}:\n`);
    printTable(
      ['through', ...heads],
      rows
        .filter((row) => row.section === section)
        .map((row) => [row.target, ...shown.map(({ cell }) => cell(row))]),
    );
  }
}

const compared: { figure: keyof Figures; name: string; column: ColumnName }[] = [
  { figure: 'cpu', name: 'CPU', column: 'cpu' },
  { figure: 'allCpu', name: 'CPU and that of the store', column: 'all' },
  { figure: 'lag', name: 'lag p50', column: 'lag' },
  { figure: 'firstContent', name: 'first content p50', column: 'firstContent' },
  { figure: 'firstContent', name: 'answer p50', column: 'answer' },
  { figure: 'duration', name: 'duration p50', column: 'duration' },
  { figure: 'perSecond', name: 'a second', column: 'perSecond' },
];

/** The medians of two targets, their ratio and their least rounds. The least and the greatest ratio of a round show how much is noise. */
export function printComparison(rows: readonly Row[], before: string, now: string): void {
  console.log(`\n${now}, compared with ${before}:\n`);
  const lines = rows
    .filter(({ target }) => target === now)
    .flatMap((row) => {
      const other = rows.find(({ target, load }) => target === before && load === row.load);
      if (!other) return [];
      return compared
        .filter(({ column }) => row.section.columns.includes(column))
        .map(({ figure, name }) => [
          row.section.title,
          row.load.atOnce,
          name,
          digits(medianOf(other, figure)),
          digits(medianOf(row, figure)),
          digits(medianOf(row, figure) / medianOf(other, figure)),
          rangeOfRatios(other, row, figure),
          `${digits(leastOf(other, figure))} / ${digits(leastOf(row, figure))}`,
        ]);
    });
  printTable(
    ['load', 'at once', 'figure', 'before', 'now', 'now / before', 'in the rounds', 'least before / now'],
    lines,
  );
}

function rangeOfRatios(before: Row, now: Row, figure: keyof Figures): string {
  const all = now.rounds.map((figures, i) => figures[figure] / before.rounds[i]![figure]);
  return `${digits(Math.min(...all))} to ${digits(Math.max(...all))}`;
}
