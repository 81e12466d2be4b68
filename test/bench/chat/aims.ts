import { printTable } from '../figures.ts';
import { errorsOf, type Figures, leastOf, medianOf, type Row } from './measure.ts';
import type { Part } from './sections.ts';

/** Prints the goals for Errand beside this run's figures. A goal whose targets were not measured is left out. */
export function printAims(rows: readonly Row[]): void {
  const figure = (target: string, part: Part, atOnce: number, name: keyof Figures): number => {
    const row = rows.find(
      (one) => one.target === target && one.section.part === part && one.load.atOnce === atOnce,
    );
    return row ? medianOf(row, name) : Number.NaN;
  };
  const least = (part: Part, atOnce: number): number => {
    const row = rows.find(
      (one) => one.target === 'errand' && one.section.part === part && one.load.atOnce === atOnce,
    );
    return row ? leastOf(row, 'allCpu') : Number.NaN;
  };
  const cpu = (target: string) => figure(target, 'paced', 16, 'allCpu');
  const plain = (target: string, atOnce: number) => figure(target, 'plain', atOnce, 'perSecond');
  const first = (target: string) => figure(target, 'paced', 16, 'firstContent');
  const own = rows.filter(({ target }) => target === 'errand');
  const errors = own.reduce((sum, row) => sum + errorsOf(row), 0);
  const megabytes = own.flatMap(({ rounds }) => rounds.map((figures) => figures.megabytes));
  const lines: [string, number, string][] = [
    [
      'ms of CPU of a plain answer, one at a time, with the store, the least round',
      least('plain', 1),
      'under 3',
    ],
    [
      'ms of CPU of a paced stream at 16 at once, with the store, the least round',
      least('paced', 16),
      'under 8',
    ],
    [
      "CPU of a paced stream at 16 at once, with the store, of the lean proxy's",
      cpu('errand') / cpu('lean'),
      'at most 1.8',
    ],
    ["the same, of Portkey's", cpu('errand') / cpu('portkey'), 'under 0.5'],
    [
      "the same of Responses, of chat's",
      figure('responses', 'paced', 16, 'allCpu') / figure('errand', 'paced', 16, 'allCpu'),
      'at most 1.3',
    ],
    [
      "ms to the first content of Responses after chat's, at 1 at once, p50",
      figure('responses', 'paced', 1, 'firstContent') - figure('errand', 'paced', 1, 'firstContent'),
      'under 1',
    ],
    [
      "CPU of a paced stream at 16 at once, with the store, of Messages, of chat's",
      figure('messages', 'paced', 16, 'allCpu') / figure('errand', 'paced', 16, 'allCpu'),
      'at most 1.2',
    ],
    [
      "ms to the first content of Messages after chat's, at 1 at once, p50",
      figure('messages', 'paced', 1, 'firstContent') - figure('errand', 'paced', 1, 'firstContent'),
      'under 1',
    ],
    [
      "plain requests a second at 16 at once, of Portkey's",
      plain('errand', 16) / plain('portkey', 16),
      'at least 1.5',
    ],
    ['the same at 64 at once', plain('errand', 64) / plain('portkey', 64), 'at least 1.5'],
    ['ms of a plain answer, one at a time, p50', figure('errand', 'plain', 1, 'firstContent'), 'under 4'],
    ['ms added to the first content at 16 at once, p50', first('errand') - first('upstream'), 'under 5'],
    ['ms that a chunk lags at 1 at once, p50', figure('errand', 'paced', 1, 'lag'), 'under 1'],
    ['ms that a chunk lags at 16 at once, p50', figure('errand', 'paced', 16, 'lag'), 'under 1'],
    [
      'MB resident, at most, the store not counted',
      megabytes.length > 0 ? Math.max(...megabytes) : Number.NaN,
      'under 300',
    ],
    ['errors', errors, '0'],
  ];
  console.log('\nGoals:\n');
  printTable(
    ['what', 'goal', 'this run'],
    lines
      .filter(([, value]) => !Number.isNaN(value))
      .map(([what, value, aim]) => [what, aim, Number.isInteger(value) ? value : value.toFixed(2)]),
  );
}
