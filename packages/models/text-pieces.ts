/** The length of the pieces that a long text is counted in. */
export const pieceCharacters = 16_384;

/** The end of a word that is followed by a space and another word. No token of o200k spans it. */
const betweenWords = /\p{L}(?= \p{L})/gu;

/** Splits a text into pieces whose token counts add up to the text's. A text without word ends is cut anywhere. */
export function* textPieces(text: string): Generator<string> {
  let from = 0;
  // Up to twice the length is one piece, so that splitting a piece again gives the same piece.
  while (text.length - from > 2 * pieceCharacters) {
    betweenWords.lastIndex = from + pieceCharacters;
    const end = (betweenWords.exec(text.slice(0, from + 2 * pieceCharacters))?.index ?? NaN) + 1;
    const to = Number.isNaN(end) ? wholeCharacter(text, from + pieceCharacters) : end;
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

/**
 * o200k merges a run of letters, or of signs, in quadratic time: 100,000 equal letters would hold the process for 7 s.
 * A sign is any character but letters and digits. A combining mark counts as letter and as sign.
 */
const longestRun = 512;
const longRuns = /[\p{L}\p{M}]{513,}|[^\p{L}\p{N}]{513,}/gu;

/** Splits a text so that no run is longer than 512 characters. Each cut may add one token to the count. */
export function* withShortRuns(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: run } of text.matchAll(longRuns)) {
    yield text.slice(from, index);
    from = index + run.length;
    for (let at = index; at < from; ) {
      const to = Math.min(from, wholeCharacter(text, at + longestRun));
      yield text.slice(at, to);
      at = to;
    }
  }
  yield text.slice(from);
}

/** Moves a cut out of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
};
