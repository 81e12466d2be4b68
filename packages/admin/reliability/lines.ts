import {
  type AskedCases,
  type Bin,
  type Calibration,
  type CalibrationReport,
  type Fit,
  isAtBound,
  type Measures,
} from '@errand/decisions';
import { limits } from '@errand/platform';

type Failed = AskedCases['failed'];

const reasons: Partial<Record<Failed[number]['code'], string>> = {
  at_capacity: "the model's server is busy, or cannot be reached",
  upstream_refused: 'the server refused the case',
  unreadable_answer: 'the answer cannot be read, or its labels hold too little',
  context_length_exceeded: "the case does not fit the model's context",
  timed_out: `no answer within ${limits.answerMilliseconds / 1000} s`,
};

/** A line for each reason, with the first cases that failed for it. */
export const failureLines = (failed: Failed): string[] =>
  [...Map.groupBy(failed, ({ code }) => code)].map(
    ([code, same]) => `${linesOf(same.map(({ line }) => line))} failed: ${reasons[code] ?? code}`,
  );

const linesNamed = 3;

function linesOf(lines: readonly number[]): string {
  const named = lines.slice(0, linesNamed).join(', ');
  const more = lines.length > linesNamed ? ` ... (${lines.length})` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more}`;
}

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
  const { cases, byKind, catalogue, warnings, withOffset, seed, threshold } = report;
  const kinds = [['all', report] as const, ...Object.entries(byKind)];
  const questions = Object.entries(report.byQuestion);
  const rows = questions.length > 1 ? [...kinds, ...questions] : kinds;
  return [
    `${model}: ${cases} cases answered, ${failed.length} failed`,
    `${inputTokens} input tokens, ${cost} EUR at the catalogue's price. No account is charged.`,
    '',
    `At the catalogue's temperature, ${wordFit({ temperature: report.temperatureBefore, offset: report.offsetBefore })}:`,
    header,
    ...rows.map(([name, part]) => measuresLine(name, part.cases, part)),
    `A noul counts as yes from ${threshold} on.`,
    '',
    `At a fitted temperature, on cases held out of the fit (seed ${seed}):`,
    header,
    ...rows.map(([name, part]) => measuresLine(name, part.cases, part.heldOut)),
    '',
    ...kinds.flatMap(([name, part]) => [...diagram(name, part), '']),
    `Fitted temperature: ${report.temperature}${alone(byKind)}`,
    ...(withOffset
      ? [
          `With an offset for noul: ${wordFit(withOffset)} (NLL of held-out cases ${figure(withOffset.heldOut.nll)})`,
        ]
      : []),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(catalogue ? [`For the catalogue: "calibration": ${snippet(catalogue.calibration)}`] : []),
  ];
}

const wordFit = ({ temperature, offset }: Fit): string =>
  `${temperature}${offset === undefined ? '' : `, offset ${offset}`}`;

const snippet = ({ temperature, offset }: Fit): string =>
  `{ "temperature": ${temperature}${offset === undefined ? '' : `, "offset": ${offset}`} }`;

function alone(byKind: CalibrationReport['byKind']): string {
  const kinds = Object.entries(byKind).map(
    ([kind, { temperature }]) => `${kind} ${isAtBound({ temperature }) ? 'none' : temperature}`,
  );
  return kinds.length > 1 ? ` (each kind alone: ${kinds.join(', ')})` : '';
}

const nameWidth = 20;

const columns = (cells: readonly string[]): string => {
  const [first = '', ...others] = cells;
  const name = first.length < nameWidth ? first : `${first.slice(0, nameWidth - 4)}...`;
  return `${name.padEnd(nameWidth)}${others.map((cell) => cell.padStart(10)).join('')}`;
};

const measureNames = {
  accuracy: 'accuracy',
  brier: 'Brier',
  brierSkill: 'skill',
  auroc: 'AUROC',
  precision: 'precision',
  recall: 'recall',
  ece: 'ECE',
  nll: 'NLL',
} as const satisfies Partial<Record<keyof Measures, string>>;

const header = columns(['', 'cases', ...Object.values(measureNames)]);

const figure = (value: number | undefined): string => value?.toFixed(4) ?? '-';

const measuresLine = (name: string, cases: number, measures: Measures): string =>
  columns([
    name,
    String(cases),
    ...(Object.keys(measureNames) as (keyof typeof measureNames)[]).map((key) => figure(measures[key])),
  ]);

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
