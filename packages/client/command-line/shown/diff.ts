import { diffArrays } from 'diff';

/** Texts that differ in more lines are told as replaced: the comparison's time grows with the square of them. */
const maxEditLength = 1_000;

/** Every line of both texts: with `-` if only the first has it, with `+` if only the second has, else with a space. */
export function diffLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark}${line}`);
  return (
    diffArrays(old, now, { maxEditLength })?.flatMap(({ added, removed, value }) =>
      marked(added ? '+' : removed ? '-' : ' ', value),
    ) ?? [...marked('-', old), ...marked('+', now)]
  );
}
