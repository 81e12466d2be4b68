/** Keeps what one list has far in front from deciding alone: Cormack, Clarke and Büttcher, SIGIR 2009. */
const smoothing = 60;
/**
 * About as many passages as are shown. What is fused first are the beginnings of the lists alone: passages that have a middling
 * place in every list would otherwise displace the best one of a single list.
 */
const beginning = 12;

/** Makes one ranking of several, each with the best first, by reciprocal rank fusion. */
export function fuseRanks(lists: readonly (readonly number[])[]): number[] {
  if (lists.length === 1) return [...lists[0]!];
  const first = fuse(lists.map((list) => list.slice(0, beginning)));
  return [...new Set([...first, ...fuse(lists)])];
}

function fuse(lists: readonly (readonly number[])[]): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [place, number] of list.entries())
      scores.set(number, (scores.get(number) ?? 0) + 1 / (smoothing + place + 1));
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([number]) => number);
}
