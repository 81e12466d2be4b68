import type { Model } from '@errand/models';
import { DomainError } from '@errand/platform';
import { tokensAround } from './bound-decision.ts';
import { checkBytes, checkContext, countCase, countQuestion, fits, textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import { engineOf } from './engines/engines.ts';
import { caseText } from './read-text.ts';
import type { DecisionRequest, Question } from './request.ts';

/** A model's own tokenizer may make more tokens of a text than ours. */
const ownTokenizerShare = 0.6;

/** The whole request as one pass. Throws `context_length_exceeded` if the request is known to be too long. */
export async function onePass(model: Model, request: DecisionRequest): Promise<DecisionRequest[]> {
  const limitTokens = contextTokens(model);
  const texts = textsOf(request);
  if (engineOf(model).countsItself) checkBytes(texts, limitTokens);
  else await checkContext(texts, limitTokens);
  return [request];
}

/**
 * As few passes as the engine and the model's context allow. Each has the whole case, and the questions in their order. Throws
 * `context_length_exceeded` if the case with one of the questions is known to be too long.
 */
export async function splitIntoPasses(model: Model, request: DecisionRequest): Promise<DecisionRequest[]> {
  const { input, questions } = request;
  const { questionsPerPass, countsItself } = engineOf(model);
  const limitTokens = contextTokens(model);
  const texts = textsOf(request);
  const share = countsItself ? ownTokenizerShare : 1;
  if (questions.length <= questionsPerPass && (await fits(texts, limitTokens, share))) return [request];
  const room = limitTokens * share;
  checkBytes([caseText(input)], limitTokens);
  const caseTokens = tokensAround([]) + (await countCase(input, limitTokens));
  const passes: Question[][] = [];
  let used = 0;
  for (const question of questions) {
    const tokens = await tokensOf(question, limitTokens);
    // A server that counts tokens itself tells whether a case with one question is too long.
    if (!countsItself && caseTokens + tokens > room)
      throw new DomainError('context_length_exceeded', { limitTokens });
    const last = passes.at(-1);
    if (last && last.length < questionsPerPass && used + tokens <= room) {
      last.push(question);
      used += tokens;
    } else {
      passes.push([question]);
      used = caseTokens + tokens;
    }
  }
  return passes.map((some) => ({ input, questions: some }));
}

const tokensOf = async (question: Question, limitTokens: number): Promise<number> =>
  (await countQuestion(question, limitTokens)) + tokensAround([question]) - tokensAround([]);
