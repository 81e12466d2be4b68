/** Bytes that must all be in the file: one word alone is also found in texts. */
export type Signature = readonly { offset: number /** One character for each byte. */; bytes: string }[];

export const startsWith = (bytes: string): Signature => [{ offset: 0, bytes }];

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
