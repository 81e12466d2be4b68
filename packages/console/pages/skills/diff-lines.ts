export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Texts whose lines would make a larger table are told as replaced from their first difference to the last. */
const tableEntries = 2_000_000;

/** The lines that lead from one text to the other, by a longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = [old, now].map((lines) => lines.slice(head, lines.length - tail)) as [string[], string[]];
  return [
    ...as('same', old.slice(0, head)),
    ...((middle[0].length + 1) * (middle[1].length + 1) > tableEntries
      ? [...as('removed', middle[0]), ...as('added', middle[1])]
      : diffMiddle(...middle)),
    ...as('same', old.slice(old.length - tail)),
  ];
}

const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }));

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const lengths = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i++]! });
      j++;
    } else if (j >= now.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ kind: 'removed', text: old[i++]! });
    } else {
      lines.push({ kind: 'added', text: now[j++]! });
    }
  }
  return lines;
}

/** For each pair of places, how many lines are common from there on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}
