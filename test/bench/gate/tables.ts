import { medianOf } from '../chat/measure.ts';
import { printTable } from '../figures.ts';
import { countKinds, type TimeKind, timeKinds } from './figures.ts';
import { loads } from './loads.ts';
import type { LoadRow } from './requests.ts';
import type { Line, Noise } from './verdict.ts';

const shown = (value: number, isTime: boolean): string =>
  isTime ? `${value.toFixed(2)} ms` : value.toLocaleString('en');
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Every figure of both, those of one load or function together. */
export function printLines(lines: readonly Line[]): void {
  const names = [...new Set(lines.map(({ what }) => what))];
  printTable(
    ['what', 'figure', 'baseline', 'now', 'change', ''],
    names
      .flatMap((name) => lines.filter(({ what }) => what === name))
      .map(({ what, name, base, now, change, isDearer, isTime }) => [
        what,
        name,
        shown(base, isTime),
        shown(now, isTime),
        percent(change),
        isDearer ? '**dearer**' : '',
      ]),
  );
}

/** The proxy does the same in every run and every round: what differs is the machine. */
export function printLean(rows: readonly LoadRow[]): void {
  const range = (row: LoadRow, figure: 'cpu' | 'duration') => {
    const values = row.rounds.map((round) => round[figure]);
    return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)} ms`;
  };
  console.log('');
  printTable(
    ['the lean proxy beside both', 'CPU', 'in the rounds', 'p50', 'in the rounds'],
    rows.map((row) => [
      row.section.title,
      shown(medianOf(row, 'cpu'), true),
      range(row, 'cpu'),
      shown(medianOf(row, 'duration'), true),
      range(row, 'duration'),
    ]),
  );
}

/** The line of this checkout for the table in docs/benchmarks.md. */
export function printLine(commit: string, lines: readonly Line[], lean: readonly LoadRow[]): void {
  const titles = loads.map(({ title }) => title);
  const value = (title: string, name: string) =>
    lines.find((line) => line.what === title && line.name === name)?.now ?? Number.NaN;
  const each = (name: string, digits: number) =>
    titles.map((title) => value(title, name).toFixed(digits)).join(', ');
  const bundles = lines.filter(({ name }) => name === countKinds.bundle.name).map(({ now }) => now);
  console.log(`\nFor docs/benchmarks.md, in the order ${titles.join(', ')}; beside ${commit.slice(0, 8)}:\n`);
  printTable(
    [
      'CPU, ms',
      'CPU of the store, ms',
      'p50, ms',
      countKinds.requests.name,
      "the functions' kB at init",
      "the lean proxy's CPU, ms",
    ],
    [
      [
        each(timeKinds.cpu, 2),
        each(timeKinds.storeCpu, 2),
        each(timeKinds.duration, 1),
        each(countKinds.requests.name, 0),
        (bundles.reduce((sum, bytes) => sum + bytes, 0) / 1_000).toFixed(0),
        lean.map((row) => medianOf(row, 'cpu').toFixed(2)).join(', '),
      ],
    ],
  );
}

export function printVerdict(lines: readonly Line[], noise: Noise): void {
  const noises = Object.entries(noise).map(
    ([kind, share]) => `${timeKinds[kind as TimeKind]} ${percent(share)}`,
  );
  console.log(`\nNoise of this run: ${noises.join(', ')}.`);
  const dearer = lines.filter(({ isDearer }) => isDearer);
  if (dearer.length === 0) console.log('Nothing became dearer by more than the noise.');
  for (const { what, name, base, now, change, isTime } of dearer)
    console.log(
      `Dearer: ${what}, ${name}: ${shown(base, isTime)} -> ${shown(now, isTime)} (${percent(change)} more)`,
    );
}
