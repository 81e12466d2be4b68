type Fields = Readonly<Record<string, unknown>>;

/** What has changed between two states as they are stored. What is not named is the same in both. */
export interface StateChanges {
  set?: Fields;
  removed?: string[];
  /** Of lists: how many entries stay, from the first, and what comes after them. */
  lists?: Record<string, { kept: number; added: unknown[] }>;
}

/**
 * The changes from one state to a later one, neither of which anybody alters from now on: what is the same object counts as unchanged, so
 * that a long conversation is not written as JSON for each of its messages.
 */
export function changesBetween(before: object, after: object): StateChanges {
  const changes: Required<StateChanges> = { set: {}, removed: [], lists: {} };
  const set: Record<string, unknown> = changes.set;
  const earlier = before as Fields;
  for (const [name, value] of Object.entries(after)) {
    const was = earlier[name];
    if (value === undefined || was === value) continue;
    const kept = Array.isArray(value) && Array.isArray(was) ? sameEntries(was, value) : 0;
    if (kept > 0) {
      const list = value as unknown[];
      const isSame = kept === list.length && kept === (was as unknown[]).length;
      if (!isSame) changes.lists[name] = { kept, added: list.slice(kept) };
    } else if (!isSameJson(was, value)) set[name] = value;
  }
  const later = after as Fields;
  for (const name in earlier)
    if (earlier[name] !== undefined && later[name] === undefined) changes.removed.push(name);
  return Object.fromEntries(Object.entries(changes).filter(([, each]) => Object.keys(each).length > 0));
}

/** How many entries of two lists are the same, from the first. */
function sameEntries(was: readonly unknown[], is: readonly unknown[]): number {
  const end = Math.min(was.length, is.length);
  for (let i = 0; i < end; i++) if (was[i] !== is[i] && !isSameJson(was[i], is[i])) return i;
  return end;
}

const isSameJson = (was: unknown, is: unknown): boolean => JSON.stringify(was) === JSON.stringify(is);

/** The later state. Throws if the changes are not those of the earlier one. */
export function withStateChanges<State extends object>(before: State, changes: StateChanges): State {
  const { set, removed = [], lists = {} } = changes;
  const after: Record<string, unknown> = { ...before, ...set };
  for (const name of removed) delete after[name];
  for (const [name, { kept, added }] of Object.entries(lists)) {
    const was = after[name];
    if (!Array.isArray(was) || was.length < kept) throw new Error('changes of another state');
    after[name] = [...was.slice(0, kept), ...added];
  }
  return after as State;
}
