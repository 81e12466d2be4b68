/** A piece of a line. Pieces come from left to right; each one's text is in reading order. */
export interface SeenPiece {
  text: string;
  isRightToLeft: boolean;
  spaceBefore: boolean;
}

const letter = /\p{L}/u;
const letterOrDigit = /[\p{L}\p{N}]/u;
const mirrored = new Map(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
);

/** Whether most of the letters go from right to left. */
export function isRightToLeft(pieces: readonly Pick<SeenPiece, 'text' | 'isRightToLeft'>[]): boolean {
  const read = pieces.filter(({ text }) => letter.test(text));
  const length = (some: readonly { text: string }[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  return length(read.filter((piece) => piece.isRightToLeft)) * 2 > length(read);
}

/** The pieces' text in reading order: Arabic and Hebrew from the right, runs of other scripts in them from the left. */
export function inReadingOrder(pieces: readonly SeenPiece[]): string {
  if (!isRightToLeft(pieces)) return join(pieces);
  const runs: SeenPiece[][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run?.[0] && goesRight(run[0]) && goesRight(piece)) run.push(piece);
    else runs.push([piece]);
  }
  let text = '';
  for (const run of runs.toReversed()) {
    text += goesRight(run[0]!) ? join(run) : mirror(run[0]!.text);
    if (run[0]!.spaceBefore) text += ' ';
  }
  return text;
}

const goesRight = ({ text, isRightToLeft: isLeft }: SeenPiece): boolean =>
  !isLeft && letterOrDigit.test(text);

const join = (pieces: readonly SeenPiece[]): string =>
  pieces.map(({ text, spaceBefore }, i) => (spaceBefore && i > 0 ? ` ${text}` : text)).join('');

const mirror = (text: string): string =>
  letterOrDigit.test(text) ? text : [...text].map((sign) => mirrored.get(sign) ?? sign).join('');
