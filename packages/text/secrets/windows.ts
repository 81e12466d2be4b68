import { withFewMarks } from '../few-marks.ts';

/** A text as an address may spell it: without case, and with any white space as a space. Never shorter than the text. */
export const spelt = (text: string): string => withoutCase(text).replaceAll(/[\s+]/g, ' ');

/** A text's letters and digits alone, without case. Separators can neither split it nor be exchanged. */
export const bare = (text: string): string =>
  withoutCase(withFewMarks(text).normalize('NFKC')).replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The upper case of a letter may be two: `ß` is `SS`. */
const withoutCase = (text: string): string => text.toUpperCase().toLowerCase();

/** Finds pieces of other texts in some texts. A piece has `length` characters. */
interface WindowIndex {
  /** The pieces of this text that the texts have too. Linear in the sizes of all. */
  sharedWith(text: string): Set<string>;
  /** Whether the texts have every piece of this text. False for a text shorter than a piece. */
  hasAllOf(text: string): boolean;
}

const multiplier = 0x01000193;
const maxMarkBits = 22;

/** Which hashes the pieces of some texts have: `at[hash >>> shift]` is 1. */
interface Marks {
  at: Uint8Array;
  shift: number;
}

export function indexWindows(texts: readonly string[], length: number): WindowIndex {
  const marks = markWindows(texts, length);
  return {
    sharedWith(text) {
      const candidates = new Set<string>();
      eachWindow(text, length, (start, hash) => {
        if (isMarked(marks, hash)) candidates.add(text.slice(start, start + length));
      });
      return confirm(candidates, texts, length);
    },
    hasAllOf(text) {
      let areMarked = text.length >= length;
      eachWindow(text, length, (_, hash) => {
        areMarked &&= isMarked(marks, hash);
      });
      if (!areMarked) return false;
      const pieces = new Set(piecesOf(text, length));
      return confirm(pieces, texts, length).size === pieces.size;
    },
  };
}

/** The pieces that really are in the texts, because different pieces may have the same hash. */
function confirm(pieces: ReadonlySet<string>, texts: readonly string[], length: number): Set<string> {
  const found = new Set<string>();
  if (pieces.size === 0) return found;
  const marks = markWindows([...pieces], length);
  for (const text of texts)
    eachWindow(text, length, (start, hash) => {
      if (!isMarked(marks, hash)) return;
      const piece = text.slice(start, start + length);
      if (pieces.has(piece)) found.add(piece);
    });
  return found;
}

const isMarked = ({ at, shift }: Marks, hash: number): boolean => at[hash >>> shift] === 1;

/** Sparse enough for few false marks, and as small as that allows: a small table stays in the processor's cache. */
function markWindows(texts: readonly string[], length: number): Marks {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const bits = Math.min(maxMarkBits, 36 - Math.clz32(size));
  const marks: Marks = { at: new Uint8Array(2 ** bits), shift: 32 - bits };
  for (const text of texts)
    eachWindow(text, length, (_, hash) => {
      marks.at[hash >>> marks.shift] = 1;
    });
  return marks;
}

function* piecesOf(text: string, length: number): Generator<string> {
  for (let start = 0; start + length <= text.length; start++) yield text.slice(start, start + length);
}

/** Visits every piece of the text with its hash: one step for each character, however long the pieces are. */
function eachWindow(text: string, length: number, visit: (start: number, hash: number) => void): void {
  let power = 1;
  for (let i = 0; i < length; i++) power = Math.imul(power, multiplier);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(i)) | 0;
    const start = i + 1 - length;
    if (start > 0) hash = (hash - Math.imul(power, text.charCodeAt(start - 1))) | 0;
    if (start >= 0) visit(start, hash);
  }
}
