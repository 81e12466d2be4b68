/** Bytes that must all be in the file, because a text may have one of them. A character of `bytes` is one byte. */
type Signature = readonly { offset: number; bytes: string }[];

export const startsWith = (bytes: string): Signature => [{ offset: 0, bytes }];

/** The facts about one kind of file. */
export interface KindFacts {
  /** The kind's name in sentences for people, with an article. */
  words: string;
  mediaType?: string;
  /** Extensions with the dot, the usual one first. */
  extensions?: readonly string[];
  /** A file that matches one of these is of this kind. */
  signatures?: readonly Signature[];
}
