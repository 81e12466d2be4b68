/** Pairs of lines that are compared. Texts with more are told as replaced. */
const mostPairs = 4_000_000;

/** How long the longest common rest is, from each pair of lines on. */
function commonRests(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const rests = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const [row, next] = [rests[i] as Uint32Array, rests[i + 1] as Uint32Array];
      row[j] = before[i] === after[j] ? 1 + (next[j + 1] ?? 0) : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return rests;
}

function diffMiddle(before: readonly string[], after: readonly string[]): string[] {
  const isLarge = before.length * after.length > mostPairs;
  const rests = isLarge ? [] : commonRests(before, after);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const isCommon = !isLarge && i < before.length && before[i] === after[j];
    const isGone = j >= after.length || (rests[i + 1]?.[j] ?? 0) >= (rests[i]?.[j + 1] ?? 0);
    if (isCommon) {
      lines.push(` ${before[i++]}`);
      j++;
    } else if (i < before.length && isGone) lines.push(`-${before[i++]}`);
    else lines.push(`+${after[j++]}`);
  }
  return lines;
}

/** Every line of both texts: with `-` if only the first has it, with `+` if only the second has, else with a space. */
export function diffLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const common = (lines: string[]) => lines.map((line) => ` ${line}`);
  return [
    ...common(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...common(a.slice(a.length - end)),
  ];
}
