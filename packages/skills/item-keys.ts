/**
 * Where things lie in the Skills table. In a skill's partition the row sorts after its contents, so that the row and
 * its latest content are the two last items.
 */
export const itemKeys = {
  skill: (id: string) => ({ pk: `skill#${id}`, sk: 'skill' }),
  content: (id: string, number: number) => ({ pk: `skill#${id}`, sk: contentSortKey(number) }),
  /** The reservation of a name, and what lists and resolution read. */
  name: (owner: string, name: string) => ({ pk: owner, sk: `${namePrefix}${name}` }),
  /** Names a deleted skill whose contents are still to be removed. */
  sweep: (owner: string, id: string) => ({ pk: owner, sk: `${sweepPrefix}${id}` }),
};

export const namePrefix = 'name#';
export const sweepPrefix = 'sweep#';
export const contentPrefix = 'content#';

export const contentSortKey = (number: number): string =>
  `${contentPrefix}${String(number).padStart(12, '0')}`;
