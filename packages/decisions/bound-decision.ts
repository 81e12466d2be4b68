import type { Model } from '@errand/models';
import { boundCompletion, type CompletionBound } from '@errand/money';
import { limits, type Price } from '@errand/platform';
import { countDecision } from './ask-decision.ts';
import { bytesOf, textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import { type DecisionRequest, imagesOf, type Question } from './request.ts';

/**
 * Upper bounds of the tokens around the texts: for the prompt's own words, for each question and for each option.
 */
const promptTokens = { all: 1_024, question: 64, option: 16 };

/** The tokens that a prompt has beside the texts of its questions. */
export const tokensAround = (questions: readonly Question[]): number =>
  questions.reduce(
    (sum, { options }) => sum + promptTokens.question + options.length * promptTokens.option,
    promptTokens.all,
  );

/** What a decision that is read in these passes may cost at most. */
export function boundDecision(
  price: Price,
  model: Model,
  passes: readonly DecisionRequest[],
): CompletionBound {
  const sum = (tokens: readonly number[]) => tokens.reduce((total, some) => total + some, 0);
  const beside = passes.map(
    (pass) =>
      tokensAround(pass.questions) +
      imagesOf(pass).length * (model.imageTokens ?? limits.reservedImageTokens),
  );
  return boundCompletion(price, {
    mostInputTokens: sum(
      passes.map((pass, at) => Math.min(contextTokens(model), bytesOf(textsOf(pass)) + (beside[at] ?? 0))),
    ),
    countInput: async () =>
      sum(await Promise.all(passes.map((pass) => countDecision(model, pass)))) + sum(beside),
    outputTokens: 0,
  });
}
