export interface Signature {
  offset: number;
  /** One character for each byte. */
  bytes: string;
}

/** What is known of a kind of file. */
export interface KindFacts {
  /** How a sentence for people names it, with its article. */
  words: string;
  mediaType?: string;
  /** With the dot, the usual one first. */
  extensions?: readonly string[];
  /** Any of them proves the kind. */
  signatures?: readonly Signature[];
}
