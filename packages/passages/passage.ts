/** A piece of what a run has read, in the order of the material. */
export interface Passage {
  /** From 1. */
  number: number;
  /** The headings above it, outermost first. */
  headings: readonly string[];
  /** Where it is in its original: `page 12`, `sheet Costs`, `slide 3`, `00:12:33`. Absent where the format has none. */
  place?: string;
  /** At most 2,000 characters. In the middle of a table it begins with the table's heading, in that of code with a fence. */
  text: string;
}

export interface Heading {
  /** From 1, the outermost. */
  level: number;
  title: string;
}

/** A passage as it was cut out of its material. */
export interface CutPassage extends Passage {
  /** What the material itself has here, with the blank lines after it. All of them together are the material. */
  source?: string;
  /** The headings that begin in this passage. */
  begins?: readonly Heading[];
}

/** A part of a text that has a place in its original. It reaches to the next one. */
export interface Place {
  /** The index of its first character. */
  start: number;
  name: string;
}

/** A material as it is kept for a run. Threads pack and unpack it; the main thread only stores it. */
export type PackedPassages = Uint8Array;
