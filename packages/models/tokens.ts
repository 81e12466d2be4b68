import { setImmediate as nextTurn } from 'node:timers/promises';
import { textPieces } from './text-pieces.ts';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

let loaded: Promise<Encoding> | undefined;

/** 2 MB of ranks: loaded with the first text that must be counted, so that other requests never pay for it. */
const load = (): Promise<Encoding> => {
  loaded ??= import('gpt-tokenizer/encoding/o200k_base');
  return loaded;
};

/**
 * Merging is quadratic in an unbroken run: of letters, or of anything but letters and digits (o200k takes line ends
 * and slashes into a run of signs). 100,000 equal letters would hold the process for 7 s. Longer runs are counted in
 * pieces, which may add one token for each piece.
 */
const longestRun = 512;
const longRuns = /[\p{L}\p{M}]{513,}|[^\p{L}\p{M}\p{N}]{513,}/gu;

/** Tokens of the text with the o200k encoding. Names of special tokens count as the text that they are. */
export async function countTokens(text: string): Promise<number> {
  const encoding = await load();
  let tokens = 0;
  for (const piece of textPieces(text)) {
    // A long text must not hold up everybody else's requests.
    if (tokens > 0) await nextTurn();
    tokens += countPiece(encoding, piece);
  }
  return tokens;
}

function countPiece(encoding: Encoding, text: string): number {
  const count = (part: string) => encoding.countTokens(part, { disallowedSpecial: new Set() });
  let tokens = 0;
  let from = 0;
  for (const run of text.matchAll(longRuns)) {
    tokens += count(text.slice(from, run.index));
    from = run.index + run[0].length;
    for (let at = 0; at < run[0].length; at += longestRun) {
      tokens += count(run[0].slice(at, at + longestRun));
    }
  }
  return tokens + count(text.slice(from));
}
