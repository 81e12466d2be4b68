import { possibleLabels } from '../engines/label-reader/prompt.ts';

interface FakeModelOptions {
  /** A pair of letters is two tokens. */
  splitsPairs?: boolean;
  /** Every letter is a token, and so is a space before it. */
  splitsLetters?: boolean;
  /** A sign and the line end after it are one token. */
  joinsSigns?: boolean;
  /** Added to the logits of these tokens at every position. */
  favours?: Record<string, number>;
}

export interface FakeModel {
  tokenize(text: string): number[];
  textOf(id: number): string;
  /** The natural logarithm of each token's probability after these tokens, by token id. */
  logprobs(before: readonly number[]): Float64Array;
}

const vocabularySize = 3_000;
const otherPieces = /\d|\s|[^\s\w]|_/y;
const words = / ?[A-Za-z]+/y;
const letters = / |[A-Za-z]/y;
const signs = / [^\s\w]/y;
const joinedSigns = / ?[^\s\w]+\n*| ?_+\n*/y;

/** A model whose probabilities tests can compute: a tokenizer, and logits that are a hash of all tokens before. */
export function createFakeModel(options: FakeModelOptions = {}): FakeModel {
  const fixed = new Map<string, number>();
  for (const label of possibleLabels) fixed.set(` ${label}`, fixed.size);
  const texts = new Map([...fixed].map(([text, id]) => [id, text]));

  const idOf = (piece: string): number => {
    const id = fixed.get(piece) ?? fixed.size + (hash(textHash(piece)) % (vocabularySize - fixed.size));
    if (!texts.has(id)) texts.set(id, piece);
    return id;
  };
  const tokenize = (text: string): number[] => {
    const ids: number[] = [];
    for (let at = 0; at < text.length; ) {
      const piece = nextPiece(text, at, options);
      const split = options.splitsPairs && /^ ?[A-Za-z]{2}$/.test(piece);
      for (const part of split ? [piece.slice(0, -1), piece.slice(-1)] : [piece]) ids.push(idOf(part));
      at += piece.length;
    }
    return ids;
  };
  const favoured = Object.entries(options.favours ?? {}).map(([piece, more]) => [idOf(piece), more] as const);
  const logprobs = (before: readonly number[]): Float64Array => {
    const seed = before.reduce((state, id) => hash(state ^ id), 7);
    const logits = new Float64Array(vocabularySize);
    for (let id = 0; id < vocabularySize; id++)
      logits[id] = (hash(seed ^ (id * 2_654_435_761)) % 4_000) / 1_000;
    for (const [id, more] of favoured) logits[id] = (logits[id] ?? 0) + more;
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return logits.map((logit) => logit - total);
  };
  return { tokenize, textOf: (id) => texts.get(id) ?? '', logprobs };
}

function nextPiece(text: string, at: number, { splitsLetters, joinsSigns }: FakeModelOptions): string {
  const wholeWords = [words, joinsSigns ? joinedSigns : signs, otherPieces];
  for (const pattern of splitsLetters ? [letters, otherPieces] : wholeWords) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return found;
  }
  return text.charAt(at);
}

const textHash = (text: string): number =>
  [...text].reduce((state, letter) => hash(state ^ letter.charCodeAt(0)), 3);

/** MurmurHash3's 32-bit finaliser. */
function hash(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
