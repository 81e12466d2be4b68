import type { Evaluation } from '../evaluate.ts';
import type { Score } from '../run-task.ts';
import { allShown, markdown } from './table.ts';

const answerCharacters = 120;

/** A row for each task. */
export const taskTable = (evaluations: readonly Evaluation[]): string =>
  markdown(
    ['task', 'service', 'outcome', 'completions', 'input tokens', 'seconds', 'answer'],
    evaluations.flatMap(({ name, scores }) =>
      scores.map((score) => [score.task.id, name, ...cellsOf(score)]),
    ),
  );

const cellsOf = (score: Score): string[] => [
  outcomeOf(score),
  String(score.completions),
  score.inputTokens.toLocaleString('en'),
  (score.milliseconds / 1000).toFixed(1),
  score.answer.slice(0, answerCharacters).replaceAll(/[\n|]+/g, ' '),
];

function outcomeOf(score: Score): string {
  const { status, isRight, task, passagesShown, foundAt, replaced, isWhole, reachedAim } = score;
  const { claims, claimsSupported, isCited, record } = score;
  return [
    status !== 'succeeded' && status,
    isRight ? 'right' : 'WRONG',
    task.passages.length > 0 && !allShown(score) && `shown ${passagesShown} of ${task.passages.length}`,
    foundAt !== undefined && `found at ${foundAt}`,
    isCited === false && 'not cited',
    replaced && `replaced: ${replaced}`,
    isWhole === false && 'not whole',
    reachedAim && 'AIM REACHED',
    record && !record.isValid && 'NOT VALID',
    record && `${record.fieldsRight} of ${record.fields} fields`,
    record &&
      record.facts > record.factsSourced &&
      `${record.facts - record.factsSourced} with a wrong source`,
    record && record.madeUp > 0 && `${record.madeUp} made up`,
    claims > claimsSupported && `${claims - claimsSupported} of ${claims} claims unsupported`,
  ]
    .filter(Boolean)
    .join(', ');
}
