import type { AskedCases, Bin, Calibration, CalibrationReport, Measures } from '@errand/decisions';
import { limits } from '@errand/platform';

type Failed = AskedCases['failed'];

const reasons: Partial<Record<Failed[number]['code'], string>> = {
  at_capacity: "the model's server is busy, or cannot be reached",
  upstream_misconfigured: "the model's server refuses the key or the path, or is set up wrongly",
  upstream_refused: 'the server refused the case',
  unreadable_answer: 'the answer cannot be read',
  context_length_exceeded: "the case does not fit the model's context",
  timed_out: `no answer within ${limits.answerMilliseconds / 1000} s`,
};

export const failureLines = (failed: Failed): string[] =>
  failed.map(({ line, code }) => `line ${line} failed: ${reasons[code] ?? code}`);

interface Spent {
  inputTokens: number;
  cost: string;
  failed: Failed;
}

/** A report as people read it. */
export function reportLines(
  model: string,
  report: CalibrationReport,
  { inputTokens, cost, failed }: Spent,
): string[] {
  const { cases, temperatureBefore, temperature, byKind, catalogue, warnings } = report;
  const rows = [['all', report] as const, ...Object.entries(byKind)];
  return [
    `${model}: ${cases} cases answered, ${failed.length} failed`,
    `${inputTokens} input tokens, ${cost} EUR at the catalogue's price. No account is charged.`,
    '',
    `At the catalogue's temperature, ${temperatureBefore}:`,
    header,
    ...rows.map(([name, part]) => measuresLine(name, part.cases, part)),
    '',
    'At a fitted temperature, on cases held out of the fit:',
    header,
    ...rows.map(([name, part]) => measuresLine(name, part.cases, part.heldOut)),
    '',
    ...rows.flatMap(([name, part]) => [...diagram(name, part), '']),
    `Fitted temperature: ${temperature}${alone(byKind)}`,
    ...(catalogue ? [`For the catalogue: "calibration": { "temperature": ${temperature} }`] : []),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
}

function alone(byKind: CalibrationReport['byKind']): string {
  const kinds = Object.entries(byKind).map(([kind, { temperature }]) => `${kind} ${temperature}`);
  return kinds.length > 1 ? ` (each kind alone: ${kinds.join(', ')})` : '';
}

const columns = (cells: readonly string[]): string => {
  const [first = '', ...others] = cells;
  return `${first.padEnd(8)}${others.map((cell) => cell.padStart(10)).join('')}`;
};

const header = columns(['', 'cases', 'accuracy', 'Brier', 'ECE', 'NLL']);

const measuresLine = (name: string, cases: number, { accuracy, brier, ece, nll }: Measures): string =>
  columns([name, String(cases), ...[accuracy, brier, ece, nll].map((figure) => figure.toFixed(4))]);

const diagram = (name: string, { bins }: Calibration): string[] => [
  `Reliability, ${name}: # to the share that was right, | at the mean confidence`,
  ...bins.filter(({ cases }) => cases > 0).map(barOf),
];

const barWidth = 50;

function barOf({ from, to, cases, confidence = 0, accuracy = 0 }: Bin): string {
  const bar = [...'#'.repeat(Math.round(accuracy * barWidth)).padEnd(barWidth + 1, '.')];
  bar[Math.round(confidence * barWidth)] = '|';
  return `${from.toFixed(1)}-${to.toFixed(1)} ${String(cases).padStart(6)}  ${bar.join('')}`;
}
