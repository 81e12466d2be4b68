import { setImmediate as nextTurn } from 'node:timers/promises';
import { pieceCharacters, textPieces, withShortRuns } from './text-pieces.ts';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

let loaded: Promise<Encoding> | undefined;

/** 2 MB of ranks: loaded with the first text that must be counted, so that other requests never pay for it. */
const load = (): Promise<Encoding> => {
  loaded ??= import('gpt-tokenizer/encoding/o200k_base');
  return loaded;
};

/** Characters since other work last had its turn, over all callers: many short texts hold up as a long one does. */
let charactersInTurn = 0;

/**
 * Characters since the library's cache of words was emptied. Left to itself it fills to 100,000 words, and from then
 * on (gpt-tokenizer 4.0) each look into it costs up to 50 microseconds.
 */
let charactersInCache = 0;
const cacheCharacters = 256 * 1024;

/** Tokens of the text with the o200k encoding. Names of special tokens count as the text that they are. */
export async function countTokens(text: string): Promise<number> {
  const encoding = await load();
  let tokens = 0;
  for (const piece of textPieces(text)) {
    charactersInTurn += piece.length;
    if (charactersInTurn > pieceCharacters) {
      charactersInTurn = 0;
      await nextTurn();
    }
    for (const part of withShortRuns(piece)) tokens += countPart(encoding, part);
  }
  return tokens;
}

function countPart(encoding: Encoding, part: string): number {
  charactersInCache += part.length;
  if (charactersInCache > cacheCharacters) {
    charactersInCache = 0;
    encoding.clearMergeCache();
  }
  return encoding.countTokens(part, { disallowedSpecial: new Set() });
}
