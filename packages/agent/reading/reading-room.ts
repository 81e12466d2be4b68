import { contextCharacters } from '../context/size.ts';
import type { ReadingRoom } from '../data.ts';

/** The share of the context for a material that is shown whole. */
const wholeShare = 0.25;
/** The share of the context for the caller's own file, which may take more. */
const attachmentShare = 0.35;
/** The share for the passages of longer material. */
const shownShare = 0.12;
const mostShown = 16_000;
/** The share for all that the calls of a turn read. */
const turnShare = 0.6;

/** The room for each of the `reads` of a turn. */
export function readingRoom(contextTokens: number, reads = 1): ReadingRoom {
  const characters = contextCharacters(contextTokens);
  const each = Math.floor((characters * turnShare) / Math.max(1, reads));
  return {
    wholeCharacters: Math.min(each, Math.floor(characters * wholeShare)),
    shownCharacters: Math.min(each, mostShown, Math.floor(characters * shownShare)),
  };
}

/** How much of an attached document the model is shown with the question. */
export const attachmentRoom = (contextTokens: number): ReadingRoom => ({
  ...readingRoom(contextTokens),
  wholeCharacters: Math.floor(contextCharacters(contextTokens) * attachmentShare),
});
