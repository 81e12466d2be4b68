import { boundCompletion, type CompletionBound, type Model } from '@errand/models';
import type { Price } from '@errand/platform';
import { countDecision } from './ask-decision.ts';
import { textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import type { DecisionRequest, Question } from './request.ts';

/** The tokens around the texts: the words of the prompt, and for each question and option. */
const promptTokens = { all: 1_024, question: 64, option: 16 };

/** The tokens that a prompt has beside the texts of its questions. */
export const tokensAround = (questions: readonly Question[]): number =>
  questions.reduce(
    (sum, { options }) => sum + promptTokens.question + options.length * promptTokens.option,
    promptTokens.all,
  );

/** What a decision may cost at most. */
export function boundDecision(price: Price, model: Model, request: DecisionRequest): CompletionBound {
  const around = tokensAround(request.questions);
  const bytes = textsOf(request).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return boundCompletion(price, {
    mostInputTokens: Math.min(contextTokens(model), bytes + around),
    countInput: async () => (await countDecision(model, request)) + around,
    outputTokens: 0,
  });
}
