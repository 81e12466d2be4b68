import { countTokens, textPieces } from '@errand/models';
import { DomainError } from '@errand/platform';
import { instructionsText, optionText, textOf } from './read-text.ts';
import type { DecisionRequest } from './request.ts';

/** The longest o200k token is 128 bytes; the shortest is one. */
const longestTokenBytes = 128;

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
  checkBytes(texts, limitTokens);
  if (bytesOf(texts) <= limitTokens || (await countUpTo(texts, limitTokens)) <= limitTokens) return;
  throw new DomainError('context_length_exceeded', { limitTokens });
}

/** `context_length_exceeded` for what no tokenizer could fit: the model's own then need not be asked. */
export function checkBytes(texts: readonly string[], limitTokens: number): void {
  if (bytesOf(texts) > limitTokens * longestTokenBytes)
    throw new DomainError('context_length_exceeded', { limitTokens });
}

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Tokens of the texts. Past the limit it stops counting. Options that many questions share are counted once. */
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
