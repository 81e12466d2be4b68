import { limits } from '@errand/platform';
import type { AnswerForm, RunDeps } from './answer/answer-form.ts';
import { cutNotice, filterNotice, joinAnswer, withNotice } from './answer/join-answer.ts';
import { describeWritten, writtenCall, writtenCallsTold } from './answer/written-call.ts';
import type { MadeCompletion } from './complete.ts';
import { continueNote, emptyNote } from './conversation.ts';
import type { ConversationMessage } from './data.ts';
import type { AgentDeps } from './deps.ts';
import { offeredTools } from './offered-tools.ts';
import type { CheckOf, Thinking } from './state.ts';

/**
 * For a text that is a call, the state with an error that tells the model so. Undefined for other texts, and once the model was told
 * `writtenCallsTold` times in a row.
 */
export function tellWrittenCall(
  { tools }: AgentDeps,
  state: Thinking,
  completion: MadeCompletion,
  mayCall: boolean,
): Thinking | undefined {
  const { text } = completion;
  const { writtenCalls = 0 } = state;
  if (state.partial || writtenCalls >= writtenCallsTold) return undefined;
  const called = writtenCall(text, (name) => offeredTools(tools).some((tool) => tool.name === name));
  if (called === undefined) return undefined;
  const told = toUser(describeWritten(called, mayCall));
  return {
    ...askedAgain(state, completion, ...wordsOf(completion), told),
    writtenCalls: writtenCalls + 1,
    gotRoom: undefined,
  };
}

/**
 * What becomes of a completion without tool calls: the answer, or the state from which the model is asked to go on with it. An
 * answer that was cut is continued and joined; one that is empty is asked for once more. With `isLast` no further completion can
 * be paid for. What comes before a value need not be whole.
 */
export function takeText(
  { form }: Pick<RunDeps, 'form'>,
  state: Thinking,
  completion: MadeCompletion,
  isLast: boolean,
): string | Thinking {
  const { text, ending, needsRoom } = completion;
  // Another run may make the process forget that the model thinks.
  if (needsRoom && !isLast && !state.gotRoom) return { ...askedAgain(state, completion), gotRoom: true };
  if (state.part === 'check' && state.answer.trim() !== '') return checkedText(form, state, completion);
  const { text: before = '', continuations = 0 } = state.partial ?? {};
  const answer = joinAnswer(before, text);
  if (answer.trim() === '')
    return state.wasEmpty || isLast || form.value
      ? answer
      : {
          ...askedAgain(state, { ...completion, messages: withNote(completion.messages, emptyNote) }),
          wasEmpty: true,
        };
  if (ending === 'filtered') return withNotice(answer, filterNotice);
  if (ending === 'whole' || form.value) return answer;
  const goesOn = !isLast && text.trim() !== '' && continuations < limits.answerContinuations;
  if (!goesOn) return withNotice(answer, cutNotice);
  return {
    ...askedAgain(state, completion, ...wordsOf(completion), toUser(continueNote)),
    partial: { text: answer, continuations: continuations + 1 },
    gotRoom: undefined,
  };
}

/** The state in which the model is asked once more, after these further messages. */
export const askedAgain = (
  state: Thinking,
  { messages, leftOut }: Pick<MadeCompletion, 'messages' | 'leftOut'>,
  ...added: ConversationMessage[]
): Thinking => ({
  ...state,
  completions: state.completions + 1,
  messages: [...messages, ...added],
  leftOut,
});

export const toUser = (content: string): ConversationMessage => ({ role: 'user', content });

/** Adds a note. It takes the place of one that the model has said nothing to: some servers want user and model to take turns. */
export function withNote(messages: readonly ConversationMessage[], note: string): ConversationMessage[] {
  const question = messages.findIndex(({ role }) => role === 'user');
  const isUnanswered = messages.length - 1 > question && messages.at(-1)?.role === 'user';
  if (!isUnanswered) return [...messages, toUser(note)];
  const { content } = messages.at(-1)!;
  return [...messages.slice(0, -1), toUser(content?.startsWith('Error:') ? `${content}\n\n${note}` : note)];
}

/** A completion without calls as the next requests have it. No server gets an empty message. */
export const wordsOf = ({ text, opaque }: Pick<MadeCompletion, 'text' | 'opaque'>): ConversationMessage[] =>
  text.trim() === '' ? [] : [{ role: 'assistant', content: text, opaque }];

/** As much is read of the question, which stands before everything that came with it. */
const questionCharacters = 2_000;

/**
 * The answer that the check has written; empty if the loop's answer stays. Only what follows a tool can be an answer, and nothing
 * that was cut or filtered.
 */
function checkedText(
  form: AnswerForm,
  { rounds, answer, messages }: CheckOf<Thinking>,
  { text, ending }: MadeCompletion,
): string {
  if (rounds === 0 || ending !== 'whole') return '';
  // A call that was written as text, and its error, may stand behind the results.
  const last = messages.findLastIndex(({ role }) => role === 'tool');
  const first = messages.findLastIndex(({ role }, i) => role !== 'tool' && i < last) + 1;
  const results = messages.slice(first, last + 1);
  const read = results.map(({ content }) => content ?? '');
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '';
  return form.newAnswer(text, { answer, question: asked.slice(0, questionCharacters), read });
}
