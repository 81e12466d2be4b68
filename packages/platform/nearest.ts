/**
 * How many letters must be changed, added, left out or swapped with their neighbour to make one word of the other.
 * Words are compared up to `comparedCharacters`.
 */
export function editDistance(one: string, other: string): number {
  const [from, to] = [one.slice(0, comparedCharacters), other.slice(0, comparedCharacters)];
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[to.length]!;
}

const comparedCharacters = 128;

/** The word that is most like this one, in whatever case; the first of several, undefined if there are none. */
export function nearestOf(word: string, words: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const distances = words.map((each) => editDistance(lower, each.toLowerCase()));
  return words[distances.indexOf(Math.min(...distances))];
}
