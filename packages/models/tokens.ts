import { setImmediate as nextTurn } from 'node:timers/promises';
import { pieceCharacters, textPieces, withShortRuns } from './text-pieces.ts';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

let loaded: Promise<Encoding> | undefined;

/** The encoding has 2 MB of ranks. It is loaded when a text is first counted, so that starting is not slowed. */
const load = (): Promise<Encoding> => {
  loaded ??= import('gpt-tokenizer/encoding/o200k_base');
  return loaded;
};

/** Characters that were counted since the event loop last ran other work. Many short texts block it like one long text. */
let charactersInTurn = 0;

/**
 * Characters counted since the library's cache of words was emptied. A full cache has 100,000 words, and a lookup in it
 * takes up to 50 microseconds (gpt-tokenizer 4.0).
 */
let charactersInCache = 0;
const cacheCharacters = 256 * 1024;

/**
 * Counts tokens by the o200k encoding, up to `most`: counting stops there. The name of a special token counts as plain
 * text.
 */
export async function countTokens(text: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const encoding = await load();
  let tokens = 0;
  for (const piece of textPieces(text)) {
    if (tokens >= most) break;
    charactersInTurn += piece.length;
    if (charactersInTurn > pieceCharacters) {
      charactersInTurn = 0;
      await nextTurn();
    }
    for (const part of withShortRuns(piece)) tokens += countPart(encoding, part);
  }
  return Math.min(tokens, most);
}

/** The beginning of a text that has this many tokens; all of a text that has no more. */
export async function firstTokens(text: string, most: number): Promise<string> {
  const encoding = await load();
  let tokens = 0;
  let end = 0;
  for (const piece of textPieces(text))
    for (const part of withShortRuns(piece)) {
      const more = countPart(encoding, part);
      if (tokens + more > most) {
        const kept = encoding.encode(part, { disallowedSpecial: new Set() }).slice(0, most - tokens);
        // A token may end within a character.
        return text.slice(0, end) + encoding.decode(kept).replace(/\uFFFD+$/, '');
      }
      tokens += more;
      end += part.length;
    }
  return text;
}

function countPart(encoding: Encoding, part: string): number {
  charactersInCache += part.length;
  if (charactersInCache > cacheCharacters) {
    charactersInCache = 0;
    encoding.clearMergeCache();
  }
  return encoding.countTokens(part, { disallowedSpecial: new Set() });
}
