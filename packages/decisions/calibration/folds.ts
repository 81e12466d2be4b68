import { seeded } from './seeded.ts';

export const foldCount = 5;

/**
 * The fold of each case. Groups are drawn by the seed, and each goes whole into the smallest fold: the cases of a group are too
 * alike to be held out of a fit that has seen some of them. A case without a group is one of its own.
 */
export function drawFolds(groups: readonly (string | undefined)[], seed: number): number[] {
  const random = seeded(seed);
  const drawn = [...groupsOf(groups).values()]
    .map((indexes) => ({ indexes, place: random() }))
    .sort((one, other) => one.place - other.place);
  const sizes = Array<number>(foldCount).fill(0);
  const folds = Array<number>(groups.length).fill(0);
  for (const { indexes } of drawn) {
    const smallest = sizes.indexOf(Math.min(...sizes));
    for (const index of indexes) folds[index] = smallest;
    sizes[smallest] = (sizes[smallest] ?? 0) + indexes.length;
  }
  return folds;
}

/** The indexes of the cases of each group, which is a number for a case without one. */
const groupsOf = (groups: readonly (string | undefined)[]): Map<string | number, number[]> =>
  Map.groupBy(groups.keys(), (index) => groups[index] ?? index);

export const countGroups = (groups: readonly (string | undefined)[]): number => groupsOf(groups).size;
