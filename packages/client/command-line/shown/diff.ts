/** How long the longest common rest is, from each pair of lines on. */
function commonRests(before: readonly string[], after: readonly string[]): number[][] {
  const rests = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const [row, next] = [rests[i] as number[], rests[i + 1] as number[]];
      row[j] = before[i] === after[j] ? 1 + (next[j + 1] ?? 0) : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return rests;
}

/** Every line of both texts: with `-` if only the first has it, with `+` if only the second has, else with a space. */
export function diffLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const rests = commonRests(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && (rests[i + 1]?.[j] ?? 0) >= (rests[i]?.[j + 1] ?? 0)))
      lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}
