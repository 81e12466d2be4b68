/** How much of a long text is looked at in one go. */
export const pieceCharacters = 16_384;

/** A word's end before a space and another word: no token of o200k spans it, so counting may be split there. */
const betweenWords = /\p{L}(?= \p{L})/gu;

/** The text in order, in pieces that may be counted apart; where no word ends for long, cut anywhere. */
export function* textPieces(text: string): Generator<string> {
  let from = 0;
  // A piece that is given here again comes back whole.
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
 * Merging is quadratic in what o200k takes for one piece: a run of letters, or of anything but letters and digits
 * (marks belong to both, line ends and slashes to signs). 100,000 equal letters would hold the process for 7 s.
 */
const longestRun = 512;
const longRuns = /[\p{L}\p{M}]{513,}|[^\p{L}\p{N}]{513,}/gu;

/** The text in order, with runs that are longer than any word cut, which may add a token for each cut. */
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

/** Not between the halves of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
};
