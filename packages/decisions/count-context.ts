import { countTokens } from '@errand/models';
import { DomainError } from '@errand/platform';
import { instructionsText, optionText, textOf } from './read-text.ts';
import type { DecisionRequest } from './request.ts';

/** The longest o200k token is 128 bytes; the shortest is one. */
const longestTokenBytes = 128;

/** How much is counted at a time, so that a long text is given up as soon as it is too long. */
const pieceCharacters = 16_384;

/** A word's end before a space and another word: no token of o200k spans it, so counting may be split there. */
const betweenWords = /\p{L}(?= \p{L})/gu;

/** What the model reads of a request, without the frame that its server puts around. */
export function textsOf({ state, questions }: DecisionRequest): string[] {
  const asked = questions.flatMap((question) => [
    instructionsText(question),
    ...question.options.map((option) => optionText(question, option)),
  ]);
  return [textOf(state), ...asked];
}

/**
 * `context_length_exceeded` if the texts have more than `limitTokens` tokens (o200k). Texts that cannot have so many,
 * or so few, are not counted.
 */
export async function checkContext(texts: readonly string[], limitTokens: number): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= limitTokens) return;
  if (bytes <= limitTokens * longestTokenBytes && (await countUpTo(texts, limitTokens)) <= limitTokens)
    return;
  throw new DomainError('context_length_exceeded', { limitTokens });
}

/** Tokens of the texts. Past the limit it stops counting. Options that many questions share are counted once. */
export async function countUpTo(texts: readonly string[], limitTokens: number): Promise<number> {
  let tokens = 0;
  for (const [text, { length: times }] of Map.groupBy(texts, (same) => same)) {
    for (const piece of pieces(text)) {
      tokens += times * (await countTokens(piece));
      if (tokens > limitTokens) return tokens;
    }
  }
  return tokens;
}

function* pieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > pieceCharacters) {
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
