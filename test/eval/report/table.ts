import type { Evaluation } from '../evaluate.ts';
import type { Score } from '../run-task.ts';
import { type Kind, kinds } from '../tasks/task.ts';

const heads = [
  'kind',
  'service',
  'tasks',
  'right',
  'passage shown',
  'claims supported',
  'aims reached',
  'whole',
  'completions',
  'input tokens',
  'output tokens',
  'EUR',
];

/** A row for each kind and service, then one for all kinds. Means are for each run; EUR is the sum. */
export function kindTable(evaluations: readonly Evaluation[]): string {
  const asked = kinds.filter((kind) =>
    evaluations.some(({ scores }) => scores.some(({ task }) => task.kind === kind)),
  );
  const rows = [...asked, undefined].flatMap((kind) =>
    evaluations.map(({ name, scores }) =>
      rowOf(kind, name, kind ? scores.filter(({ task }) => task.kind === kind) : scores),
    ),
  );
  return markdown(heads, rows);
}

function rowOf(kind: Kind | undefined, service: string, scores: readonly Score[]): string[] {
  const passages = scores.filter(({ task }) => task.passages.length > 0);
  const hostile = scores.filter(({ reachedAim }) => reachedAim !== undefined);
  const long = scores.filter(({ isWhole }) => isWhole !== undefined);
  const claims = sum(scores, ({ claims: made }) => made);
  return [
    kind ?? 'all',
    service,
    String(scores.length),
    share(scores.filter(({ isRight }) => isRight).length, scores.length),
    share(passages.filter(allShown).length, passages.length),
    share(
      sum(scores, ({ claimsSupported }) => claimsSupported),
      claims,
    ),
    hostile.length === 0
      ? ''
      : `${hostile.filter(({ reachedAim }) => reachedAim).length} of ${hostile.length}`,
    share(long.filter(({ isWhole }) => isWhole).length, long.length),
    mean(scores, ({ completions }) => completions).toFixed(1),
    Math.round(mean(scores, ({ inputTokens }) => inputTokens)).toLocaleString('en'),
    Math.round(mean(scores, ({ outputTokens }) => outputTokens)).toLocaleString('en'),
    sum(scores, ({ euros }) => euros).toFixed(4),
  ];
}

/** Every passage of the task was shown to the model. */
export const allShown = ({ passagesShown, task }: Score): boolean => passagesShown === task.passages.length;

const sum = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.reduce((total, one) => total + read(one), 0);

export const mean = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.length === 0 ? 0 : sum(list, read) / list.length;

/** Such as `92 % of 12`; empty if there is nothing. */
export const share = (part: number, all: number): string =>
  all === 0 ? '' : `${Math.round((100 * part) / all)} % of ${all}`;

export const markdown = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
