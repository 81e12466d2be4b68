/** What is wrong with a caller's schema: where (`properties.rows.items.uniqueItems`), and what (names the keyword). */
export interface SchemaIssue {
  place: string;
  problem: string;
}

/** Ends the reading of a schema at its first issue. */
export class Refused extends Error {
  readonly issue: SchemaIssue;

  constructor(place: readonly string[], problem: string) {
    super(problem);
    this.issue = { place: showPlace(place), problem };
  }
}

const shownSegments = 24;
const shownCharacters = 64;

const cut = (name: string): string =>
  name.length > shownCharacters ? `${name.slice(0, shownCharacters)}...` : name;

export const shown = (name: string): string => JSON.stringify(cut(name));

const showPlace = (place: readonly string[]): string =>
  place.slice(0, shownSegments).map(cut).join('.') + (place.length > shownSegments ? '...' : '');
