import { countTokens } from '@errand/models';
import { DomainError } from '@errand/platform';
import { caseText, instructionsText, optionText } from './read-text.ts';
import type { DecisionRequest, Question } from './request.ts';

/** The longest o200k token has 128 bytes; the shortest has one. */
const longestTokenBytes = 128;

/** The texts of a request that the model reads, without the prompt that the model's server puts around them. */
export const textsOf = ({ input, questions }: DecisionRequest): string[] => [
  caseText(input),
  ...questions.flatMap(textsOfQuestion),
];

const textsOfQuestion = (question: Question): string[] => [
  instructionsText(question),
  ...question.options.map((option) => optionText(question, option)),
];

/**
 * Throws `context_length_exceeded` if the texts have more than `limitTokens` o200k tokens. Tokens are counted only if
 * the number of bytes does not decide.
 */
export async function checkContext(texts: readonly string[], limitTokens: number): Promise<void> {
  checkBytes(texts, limitTokens);
  if (!(await fits(texts, limitTokens))) throw new DomainError('context_length_exceeded', { limitTokens });
}

/** Whether the texts have at most as many bytes as the limit, or at most `share` of it in o200k tokens. */
export const fits = async (texts: readonly string[], limitTokens: number, share = 1): Promise<boolean> =>
  bytesOf(texts) <= limitTokens || (await countUpTo(texts, limitTokens)) <= limitTokens * share;

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
    tokens += times * (await countTokens(text, limitTokens + 1));
    if (tokens > limitTokens) return tokens;
  }
  return tokens;
}

/** The tokens counted in a case or a question, by the limit at which counting stopped. */
type Counts = WeakMap<object, { limitTokens: number; tokens: Promise<number> }>;

const counts: Counts = new WeakMap();

function countOnce(of: object, texts: () => string[], limitTokens: number): Promise<number> {
  const known = counts.get(of);
  if (known?.limitTokens === limitTokens) return known.tokens;
  const tokens = countUpTo(texts(), limitTokens);
  counts.set(of, { limitTokens, tokens });
  return tokens;
}

/** The o200k tokens of the case. It is counted once, for however many passes. */
export const countCase = (input: DecisionRequest['input'], limitTokens: number): Promise<number> =>
  countOnce(input, () => [caseText(input)], limitTokens);

/** The o200k tokens of a question with its options. Throws `context_length_exceeded` for far too many. */
export function countQuestion(question: Question, limitTokens: number): Promise<number> {
  return countOnce(
    question,
    () => {
      const texts = textsOfQuestion(question);
      checkBytes(texts, limitTokens);
      return texts;
    },
    limitTokens,
  );
}
