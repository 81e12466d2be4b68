/**
 * The keys of the items in the Skills table. In a skill's partition the row sorts after the contents, so that a query
 * for the last two items finds the row and the latest content.
 */
export const itemKeys = {
  skill: (id: string) => ({ pk: `skill#${id}`, sk: 'skill' }),
  content: (id: string, number: number) => ({ pk: `skill#${id}`, sk: contentSortKey(number) }),
  /** A copy of the row that reserves the name; lists and the resolution of names read it. */
  name: (owner: string, name: string) => ({ pk: owner, sk: `${namePrefix}${name}` }),
  /** A copy of the current content, so that one request by owner and name finds a skill and what it says. */
  current: (owner: string, name: string) => ({ pk: owner, sk: `${currentPrefix}${name}` }),
  /** Marks a deleted skill whose contents are not all removed yet. */
  sweep: (owner: string, id: string) => ({ pk: owner, sk: `${sweepPrefix}${id}` }),
};

export const namePrefix = 'name#';
const currentPrefix = 'current#';
export const sweepPrefix = 'sweep#';
const contentPrefix = 'content#';

export const contentSortKey = (number: number): string =>
  `${contentPrefix}${String(number).padStart(12, '0')}`;
