import { diffArrays } from 'diff';

interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Texts that differ in more lines are shown as replaced, because the comparison takes quadratic time. */
const maxEditLength = 1_000;

const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }));

/** The lines that lead from one text to the other. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(old, now, { maxEditLength });
  if (changes === undefined) return [...as('removed', old), ...as('added', now)];
  return changes.flatMap(({ added, removed, value }) =>
    as(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}
