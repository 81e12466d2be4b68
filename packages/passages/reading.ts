import type { Passage } from './passage.ts';
import type { PackedVectors } from './vectors/pack-vectors.ts';

/** What a reader wants to be shown of a material. */
export interface Reading {
  /** A material of at most so many characters is shown whole. */
  wholeCharacters: number;
  /** The longest text that is shown of any other. */
  shownCharacters: number;
  /** The best passages for it are shown. Several are wordings of the same. */
  query?: string | readonly string[];
  /** Stands in for an absent query, such as the run's question. */
  fallbackQuery?: string;
  /** The vectors of all passages, and those of the query's wordings. Without them, passages are found by words alone. */
  meaning?: { passages: PackedVectors; query: PackedVectors };
  /** The passages from this number on are shown. */
  from?: number;
}

/** What is looked for, in one or several wordings. */
export const wordingsOf = ({ query, fallbackQuery }: Reading): string[] =>
  [query ?? fallbackQuery ?? []].flat().filter((wording) => wording.trim() !== '');

/** What is looked for in a material: the passages about claims. */
export interface Finding {
  claims: readonly string[];
  /** Passages that stand in where a claim shares no word with the material, by their numbers; the first if undefined. */
  shown?: { numbers: readonly number[] | undefined; characters: number };
}

/** What a material says about a claim. */
export interface NearPassage extends Omit<Passage, 'number'> {
  /** The words of `text` that are nearest to the claim. */
  quote?: string;
}

export interface Found {
  /** For each claim the nearest passage; undefined if none has a word of it. */
  nearest: (NearPassage | undefined)[];
  /** The text of `shown`, in so many characters. Empty unless a claim has no passage. */
  shown: string;
}

/** What is shown of a material. */
export interface Shown {
  title?: string;
  /** For a model: all of the material, or passages of it, and how to get the others. */
  text: string;
  isWhole: boolean;
  /** The numbers of the passages in `text`. */
  shown: readonly number[];
  /** How many passages the material has. */
  passages: number;
  /** The length of the whole material. */
  characters: number;
}
