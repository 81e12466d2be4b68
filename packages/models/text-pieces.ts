/** How much of a long text is looked at in one go. */
const pieceCharacters = 16_384;

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

/** Not between the halves of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
};
