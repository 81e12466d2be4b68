import type { RunPart } from '@errand/platform';
import { contextCharacters } from '../context/size.ts';

/** How much of what is read the model is shown at once, in characters. */
export interface ReadingRoom {
  wholeCharacters: number;
  shownCharacters: number;
  /** Set where passages are left out: of a long material, the beginning is shown. */
  from?: 1;
}

/** The share of the context for a material that is shown whole. */
const wholeShare = 0.25;
/** The caller's own file may take more of it. */
const attachmentShare = 0.35;
/** The share for the passages of a longer one. */
const shownShare = 0.12;
const mostShown = 16_000;
/** The share for all that the calls of a turn read. */
const turnShare = 0.6;
/** The share for the beginning of a long one, where passages are left out. */
const beginningShare = 0.4;

export function readingRoom(
  contextTokens: number,
  { without = [], reads = 1 }: { without?: readonly RunPart[] | undefined; reads?: number } = {},
): ReadingRoom {
  const characters = contextCharacters(contextTokens);
  if (without.includes('passages')) return beginningAlone(characters);
  const each = Math.floor((characters * turnShare) / Math.max(1, reads));
  return {
    wholeCharacters: Math.min(each, Math.floor(characters * wholeShare)),
    shownCharacters: Math.min(each, mostShown, Math.floor(characters * shownShare)),
  };
}

/** How much of an attached document the model is shown with the question. */
export function attachmentRoom(contextTokens: number, without: readonly RunPart[] = []): ReadingRoom {
  const characters = contextCharacters(contextTokens);
  if (without.includes('passages')) return beginningAlone(characters);
  return { ...readingRoom(contextTokens), wholeCharacters: Math.floor(characters * attachmentShare) };
}

function beginningAlone(contextCharacters: number): ReadingRoom {
  const shown = Math.floor(contextCharacters * beginningShare);
  return { wholeCharacters: shown, shownCharacters: shown, from: 1 };
}
