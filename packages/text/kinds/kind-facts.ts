export interface Signature {
  offset: number;
  /** One character for each byte. */
  bytes: string;
}

/** The facts about one kind of file. */
export interface KindFacts {
  /** Its name in sentences for people, with an article. */
  words: string;
  mediaType?: string;
  /** With the dot, the usual one first. */
  extensions?: readonly string[];
  /** A file with any of these is of this kind. */
  signatures?: readonly Signature[];
}
