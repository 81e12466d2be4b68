import type { KindKeys } from './kind.ts';

/**
 * The keys of the items in the Skills table. In the partition of a thing the row sorts after the contents, so that a
 * query for the last two items finds the row and the latest content.
 */
export const itemKeys = ({ noun, rowSortKey, ownedPrefix }: KindKeys) => ({
  row: (id: string) => ({ pk: `${noun}#${id}`, sk: rowSortKey }),
  content: (id: string, number: number) => ({ pk: `${noun}#${id}`, sk: contentSortKey(number) }),
  /** A copy of the row that reserves the name; lists and the resolution of names read it. */
  name: (owner: string, name: string) => ({ pk: owner, sk: `${ownedPrefix}name#${name}` }),
  /** A copy of the current content, so that one request by owner and name finds a thing and what it says. */
  current: (owner: string, name: string) => ({ pk: owner, sk: `${ownedPrefix}current#${name}` }),
  /** How many an account has. Those that a release before the count made are not in it. */
  count: (owner: string) => ({ pk: owner, sk: `${ownedPrefix}count` }),
  /** Marks a deleted thing whose contents are not all removed yet. */
  sweep: (owner: string, id: string) => ({ pk: owner, sk: `${ownedPrefix}sweep#${id}` }),
});

export const contentSortKey = (number: number): string => `content#${String(number).padStart(12, '0')}`;
