import { citeClaims, claimsOf, uncitedIn } from '../citations/cite-answer.ts';
import { passagesOfClaims } from '../citations/passages-of-claims.ts';
import { checkNote, checkPrompt } from '../conversation.ts';
import type { AnswerForm } from './answer-form.ts';
import { newAnswer } from './new-answer.ts';

/** The answer is a text, whose sentences cite their sources by numbers. */
export const proseForm: AnswerForm = {
  checkPrompt,
  checkNote,
  claimsOf,
  passagesOf: passagesOfClaims,
  newAnswer: (text, present) => newAnswer(text, present) ?? '',
  async tell(deps, state, answer, signal) {
    const claims = claimsOf(answer, state.sources);
    const { citations } = await citeClaims(deps, state, { claims, passagesOf: passagesOfClaims }, signal);
    return { text: answer, citations, uncitedSentences: uncitedIn(answer, state.sources) };
  },
};
