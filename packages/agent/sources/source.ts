/** What an answer may cite by its number: something that the run has read, or found. */
export interface Source {
  /** From 1, in the order in which the run met its sources. */
  number: number;
  kind: 'page' | 'document' | 'transcript' | 'image' | 'result';
  url?: string;
  /** Of an attachment. */
  filename?: string;
  title?: string;
  /** The text of a search result. */
  snippet?: string;
  /** Names what is kept of the source for the run. */
  material?: string;
}
