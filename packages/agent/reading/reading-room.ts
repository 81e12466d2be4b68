import { contextCharacters } from '../context/size.ts';

/** How much of what is read the model is shown at once, in characters. */
export interface ReadingRoom {
  wholeCharacters: number;
  shownCharacters: number;
}

/** The share of the context for a material that is shown whole. */
const wholeShare = 0.25;
/** The caller's own file may take more of it. */
const attachmentShare = 0.35;
/** The share for the passages of a longer one. */
const shownShare = 0.12;
const mostShown = 16_000;

export function readingRoom(contextTokens: number): ReadingRoom {
  const characters = contextCharacters(contextTokens);
  return {
    wholeCharacters: Math.floor(characters * wholeShare),
    shownCharacters: Math.min(mostShown, Math.floor(characters * shownShare)),
  };
}

/** How much of an attached document the model is shown with the question. */
export const attachmentRoom = (contextTokens: number): ReadingRoom => ({
  ...readingRoom(contextTokens),
  wholeCharacters: Math.floor(contextCharacters(contextTokens) * attachmentShare),
});
