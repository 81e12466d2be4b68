import type { Outline } from './outline.ts';

/**
 * The length of the head in four bytes, the head as JSON, then the blocks: deflated, with a line of JSON for each
 * passage.
 */
export interface PackedHead {
  /** The version of the stored form. */
  form: number;
  title?: string;
  passages: number;
  characters: number;
  outline: Outline;
  blocks: readonly PackedBlock[];
}

export interface PackedBlock {
  /** The number of its first passage. */
  first: number;
  bytes: number;
}

export interface PackedLine {
  headings?: readonly string[];
  place?: string;
  source: string;
  /** Absent if the text is the source without the white space around it. */
  text?: string;
}

export const packedForm = 1;
export const headBytes = 4;
