export interface Page<T> {
  entries: readonly T[];
  cursor: string | undefined;
}

/** The renewed page, with the entries behind it that it does not tell of. */
export function renewed<T>(shown: Page<T>, page: Page<T>, idOf: (entry: T) => string): Page<T> {
  const last = page.entries.at(-1);
  if (page.cursor === undefined) return page;
  // It has looked through all that it may, and found nothing.
  if (last === undefined) return shown;
  const covered = shown.entries.findIndex((entry) => idOf(entry) === idOf(last)) + 1;
  const rest = covered === 0 ? [] : shown.entries.slice(covered);
  return rest.length === 0 ? page : { entries: [...page.entries, ...rest], cursor: shown.cursor };
}
