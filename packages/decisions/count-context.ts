import { countTokens, textPieces } from '@errand/models';
import { DomainError } from '@errand/platform';
import { instructionsText, optionText, stateOf, textOf } from './read-text.ts';
import type { DecisionRequest, Question } from './request.ts';

/** The longest o200k token has 128 bytes; the shortest has one. */
const longestTokenBytes = 128;

/** The texts of a request that the model reads, without the prompt that the model's server puts around them. */
export function textsOf({ input, questions }: DecisionRequest): string[] {
  return [textOf(stateOf(input)), ...questions.flatMap(textsOfQuestion)];
}

export const textsOfQuestion = (question: Question): string[] => [
  instructionsText(question),
  ...question.options.map((option) => optionText(question, option)),
];

/**
 * Throws `context_length_exceeded` if the texts have more than `limitTokens` o200k tokens. Tokens are counted only if
 * the number of bytes does not decide.
 */
export async function checkContext(texts: readonly string[], limitTokens: number): Promise<void> {
  checkBytes(texts, limitTokens);
  if (bytesOf(texts) <= limitTokens || (await countUpTo(texts, limitTokens)) <= limitTokens) return;
  throw new DomainError('context_length_exceeded', { limitTokens });
}

/** Throws `context_length_exceeded` for texts too long for any tokenizer, before the model's server is asked. */
export function checkBytes(texts: readonly string[], limitTokens: number): void {
  if (bytesOf(texts) > limitTokens * longestTokenBytes)
    throw new DomainError('context_length_exceeded', { limitTokens });
}

export const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** The o200k tokens of the texts. Counting stops past the limit. A text that occurs many times is counted once. */
export async function countUpTo(texts: readonly string[], limitTokens: number): Promise<number> {
  let tokens = 0;
  for (const [text, { length: times }] of Map.groupBy(texts, (same) => same)) {
    for (const piece of textPieces(text)) {
      tokens += times * (await countTokens(piece));
      if (tokens > limitTokens) return tokens;
    }
  }
  return tokens;
}
