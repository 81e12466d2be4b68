import type { Evaluation } from '../evaluate.ts';
import type { Score } from '../run-task.ts';
import { type Kind, kinds } from '../tasks/task.ts';

/** A figure of some scores. Undefined where nothing of them has it. */
export interface Figure {
  name: string;
  /** A share from 0 to 1, or a number. */
  of(scores: readonly Score[]): Measured | undefined;
  format: 'share' | 'number' | 'whole' | 'euros';
}

export interface Measured {
  value: number;
  /** How many things a share is of. */
  count?: number;
}

const sum = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.reduce((total, one) => total + read(one), 0);

export const mean = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.length === 0 ? 0 : sum(list, read) / list.length;

const shareOf = (part: number, count: number): Measured | undefined =>
  count === 0 ? undefined : { value: part / count, count };

/** The share of the scores that have the field for which it holds. */
const share =
  (has: (score: Score) => boolean, holds: (score: Score) => boolean) => (scores: readonly Score[]) => {
    const some = scores.filter(has);
    return shareOf(some.filter(holds).length, some.length);
  };

const isSought = ({ task }: Score): boolean => task.homes !== undefined || task.isBuried === true;

const foundWithin = (k: number) => share(isSought, ({ foundAt }) => foundAt !== undefined && foundAt <= k);

/** Every passage of the task was shown to the model. */
export const allShown = ({ passagesShown, task }: Score): boolean => passagesShown === task.passages.length;

const meanOf = (read: (score: Score) => number) => (scores: readonly Score[]) => ({
  value: mean(scores, read),
});

/** A share of so many that their number says nothing. */
const rate =
  (part: (score: Score) => number, all: (score: Score) => number) => (scores: readonly Score[]) => {
    const whole = sum(scores, all);
    return whole === 0 ? undefined : { value: sum(scores, part) / whole };
  };

export const figures: readonly Figure[] = [
  {
    name: 'right',
    format: 'share',
    of: share(
      () => true,
      ({ isRight }) => isRight,
    ),
  },
  ...[1, 3, 12].map((k): Figure => ({ name: `found at ${k}`, format: 'share', of: foundWithin(k) })),
  {
    name: 'passage shown',
    format: 'share',
    of: share(({ task }) => task.passages.length > 0, allShown),
  },
  {
    name: 'citations right',
    format: 'share',
    of: (scores) =>
      shareOf(
        sum(scores, ({ claimsSupported }) => claimsSupported),
        sum(scores, ({ claims }) => claims),
      ),
  },
  {
    name: 'value cited',
    format: 'share',
    of: share(
      ({ isCited, isRight }) => isRight && isCited !== undefined,
      ({ isCited }) => isCited === true,
    ),
  },
  {
    name: 'replaced',
    format: 'share',
    of: share(
      () => true,
      ({ replaced }) => replaced !== undefined,
    ),
  },
  {
    name: 'replaced wrongly',
    format: 'share',
    of: share(
      () => true,
      ({ replaced }) => replaced === 'worse',
    ),
  },
  {
    name: 'language',
    format: 'share',
    of: share(
      ({ isInLanguage, isRight }) => isRight && isInLanguage !== undefined,
      ({ isInLanguage }) => isInLanguage === true,
    ),
  },
  {
    name: 'aims reached',
    format: 'share',
    of: share(
      ({ reachedAim }) => reachedAim !== undefined,
      ({ reachedAim }) => reachedAim === true,
    ),
  },
  {
    name: 'whole',
    format: 'share',
    of: share(
      ({ isWhole }) => isWhole !== undefined,
      ({ isWhole }) => isWhole === true,
    ),
  },
  {
    name: 'valid',
    format: 'share',
    of: share(
      ({ record }) => record !== undefined,
      ({ record }) => record?.isValid === true,
    ),
  },
  ...(
    [
      ['fields right', 'fieldsRight', 'fields'],
      ['source right', 'factsSourced', 'facts'],
      ['passage has it', 'factsQuoted', 'facts'],
      ['made up', 'madeUp', 'gaps'],
      ['doubted', 'doubted', 'known'],
    ] as const
  ).map(
    ([name, part, whole]): Figure => ({
      name,
      format: 'share',
      of: (scores) =>
        shareOf(
          sum(scores, ({ record }) => record?.[part] ?? 0),
          sum(scores, ({ record }) => record?.[whole] ?? 0),
        ),
    }),
  ),
  ...(['right', 'cited'] as const).map(
    (part): Figure => ({
      name: `parts ${part}`,
      format: 'share',
      of: (scores) =>
        shareOf(
          sum(scores, ({ parts }) => parts?.[part] ?? 0),
          sum(scores, ({ parts }) => (part === 'cited' ? parts?.right : parts?.count) ?? 0),
        ),
    }),
  ),
  { name: 'completions', format: 'number', of: meanOf(({ completions }) => completions) },
  { name: 'input tokens', format: 'whole', of: meanOf(({ inputTokens }) => inputTokens) },
  {
    name: 'cached',
    format: 'share',
    of: rate(
      ({ cachedInputTokens }) => cachedInputTokens,
      ({ inputTokens }) => inputTokens,
    ),
  },
  {
    name: 'same prefix',
    format: 'share',
    of: rate(
      ({ sharedCharacters }) => sharedCharacters,
      ({ characters }) => characters,
    ),
  },
  { name: 'output tokens', format: 'whole', of: meanOf(({ outputTokens }) => outputTokens) },
  {
    name: 'EUR',
    format: 'euros',
    of: (scores) => ({ value: sum(scores, ({ euros }) => euros) }),
  },
];

const seconds: Figure = {
  name: 'seconds',
  format: 'number',
  of: meanOf(({ milliseconds }) => milliseconds / 1000),
};

/** What levels of effort are compared by. */
const ofEfforts: readonly Figure[] = [
  ...figures.filter(({ name }) =>
    ['right', 'parts right', 'parts cited', 'value cited', 'citations right', 'completions'].includes(name),
  ),
  { name: 'in a row', format: 'number', of: meanOf(({ inARow }) => inARow) },
  { name: 'sub-runs', format: 'number', of: meanOf(({ subRuns }) => subRuns) },
  ...figures.filter(({ name }) => ['input tokens', 'cached', 'output tokens'].includes(name)),
  { name: 'EUR a run', format: 'euros', of: meanOf(({ euros }) => euros) },
  seconds,
];

/** A row for each kind and service, then one for all kinds. Means are for each run; EUR is the sum. */
export function kindTable(evaluations: readonly Evaluation[]): string {
  const isByEffort = evaluations.some(({ effort }) => effort !== undefined);
  const used = (isByEffort ? ofEfforts : figures).filter(({ of }) =>
    evaluations.some(({ scores }) => of(scores) !== undefined),
  );
  const rows = kindsOf(evaluations).flatMap((kind) =>
    evaluations.map(({ name, effort, scores }) => {
      const own = scoresOf(scores, kind);
      return [
        kind ?? 'all',
        effort === undefined ? name : `${name}, ${effort}`,
        String(own.length),
        ...used.map((figure) => written(figure, own)),
      ];
    }),
  );
  return markdown(['kind', 'service', 'tasks', ...used.map(({ name }) => name)], rows);
}

/** The figures of each service by kind, as numbers. */
export const figuresAsJson = (evaluations: readonly Evaluation[]) =>
  evaluations.map(({ name, effort, scores, seconds, peakMegabytes }) => ({
    name,
    effort,
    seconds,
    peakMegabytes,
    kinds: Object.fromEntries(
      kindsOf(evaluations).map((kind) => {
        const own = scoresOf(scores, kind);
        return [kind ?? 'all', Object.fromEntries(figures.map((one) => [one.name, one.of(own)]))];
      }),
    ),
    tasks: scores.map(({ task, ...score }) => ({ id: task.id, kind: task.kind, ...score })),
  }));

const kindsOf = (evaluations: readonly Evaluation[]): (Kind | undefined)[] => [
  ...kinds.filter((kind) => evaluations.some(({ scores }) => scores.some(({ task }) => task.kind === kind))),
  undefined,
];

const scoresOf = (scores: readonly Score[], kind: Kind | undefined): readonly Score[] =>
  kind ? scores.filter(({ task }) => task.kind === kind) : scores;

function written({ of, format }: Figure, scores: readonly Score[]): string {
  const measured = of(scores);
  if (!measured) return '';
  const { value, count } = measured;
  switch (format) {
    case 'share':
      return `${Math.round(100 * value)} %${count === undefined ? '' : ` of ${count}`}`;
    case 'number':
      return value.toFixed(1);
    case 'whole':
      return Math.round(value).toLocaleString('en');
    case 'euros':
      return value.toFixed(4);
  }
}

export const markdown = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
