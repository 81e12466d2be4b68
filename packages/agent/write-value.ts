import { limits } from '@errand/platform';
import type { RunDeps } from './answer/answer-form.ts';
import {
  capValuePrompt,
  describeMisfit,
  describeUnpaid,
  misfitNote,
  misfitResult,
  repairPrompt,
  valuePrompt,
} from './answer/value-prompts.ts';
import type { MadeCompletion } from './complete.ts';
import type { ConversationMessage } from './data.ts';
import { fail } from './finish.ts';
import type { CheckOf, LoopOf, Progress, Thinking, Writing } from './state.ts';
import { askedAgain, toUser, withNote, wordsOf } from './take-text.ts';

type Loop = LoopOf<Thinking>;

/** From here on the loop writes its value. What asks for it stands under the results of calls, if they come last. */
export function startWriting(state: Loop, stopReason?: Writing['stopReason']): Loop {
  const prompt = stopReason === 'rounds' ? capValuePrompt : valuePrompt;
  const { partial: _, wasEmpty: __, writtenCalls: ___, ...rest } = state;
  const writing: Loop = { ...rest, writing: { repairs: 0, stopReason } };
  const last = state.messages.at(-1);
  return last?.role === 'tool'
    ? { ...writing, notes: { ...state.notes, [last.tool_call_id]: prompt } }
    : { ...writing, messages: withNote(state.messages, prompt) };
}

/** Makes the model write its value after what it has found, which readers see as any remark. */
export function endFindings(state: Loop, isJson: boolean, completion: MadeCompletion): Progress {
  const { text, costs } = completion;
  const said = askedAgain(state, completion, ...wordsOf(completion)) as Loop;
  const told = isJson || text.trim() === '' ? [] : [{ type: 'text' as const, text }];
  return { events: told, costs, state: startWriting(said) };
}

/** Whether what the loop has written is a value that fits, though it was not asked for yet. */
export async function isResult(
  { form: { value }, owner, log }: RunDeps,
  { sources }: Loop,
  { text, ending }: MadeCompletion,
  signal: AbortSignal,
): Promise<boolean> {
  if (!value || ending !== 'whole' || !value.mayBeResult(text, sources)) return false;
  return (await value.problemsOf(text, { signal, owner, log })).length === 0;
}

/**
 * What becomes of a value that was written in the loop: undefined if it fits. One that does not goes back to the model with what is
 * wrong, until it went back often enough, or the credits do not pay for more. Then the run fails.
 */
export async function repairOf(
  deps: RunDeps,
  state: Loop & { writing: Writing },
  completion: MadeCompletion,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Progress | undefined> {
  const { costs, needsRoom } = completion;
  if (needsRoom && !isLast && !state.gotRoom)
    return { events: [], costs, state: { ...askedAgain(state, completion), gotRoom: true } };
  const problems = await problemsIn(deps, completion, signal);
  if (problems.length === 0) return undefined;
  if (isLast) return { ...fail(state, `${describeUnpaid} ${describeMisfit(problems)}`, 'credits'), costs };
  const { writing } = state;
  if (writing.repairs >= limits.valueRepairs)
    return { ...fail(state, describeMisfit(problems), 'schema'), costs };
  const said = askedAgain(state, completion, ...wordsOf(completion));
  return {
    events: [],
    costs,
    state: {
      ...said,
      messages: withNote(said.messages, repairPrompt(problems)),
      writing: { ...writing, repairs: writing.repairs + 1 },
      gotRoom: undefined,
    },
  };
}

/**
 * What becomes of the new value of a check: undefined if it is the run's, and the state in which the model is asked again if it does not
 * fit. One that went back often enough is not taken: its text is empty then.
 */
export async function repairOfCheck(
  deps: RunDeps,
  state: CheckOf<Thinking>,
  { text, completion }: { text: string; completion: MadeCompletion },
  signal: AbortSignal,
): Promise<Thinking | { text: string }> {
  if (text === '' || !deps.form.value) return { text };
  const problems = await deps.form.value.problemsOf(text, { signal, owner: deps.owner, log: deps.log });
  if (problems.length === 0) return { text };
  const { repairs } = state.writing ?? { repairs: 0 };
  if (repairs >= limits.valueRepairs) return { text: '' };
  return {
    ...askedAgain(state, completion, ...refused(completion, problems)),
    writing: { repairs: repairs + 1 },
  };
}

/** What the check has written, and why it is not taken. */
function refused(completion: MadeCompletion, problems: readonly string[]): ConversationMessage[] {
  const { text, calls, opaque } = completion;
  if (calls.length === 0) return [...wordsOf(completion), toUser(misfitNote(problems))];
  return [
    { role: 'assistant', content: text || null, tool_calls: calls, opaque },
    ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: misfitResult(problems) })),
  ];
}

async function problemsIn(
  { form, owner, log }: RunDeps,
  { text, ending }: MadeCompletion,
  signal: AbortSignal,
): Promise<string[]> {
  if (ending === 'filtered') return ["It was ended by the provider's content filter."];
  if (ending === 'cut') return ['It was cut at its greatest length: write shorter texts, or fewer items.'];
  return (await form.value?.problemsOf(text, { signal, owner, log })) ?? [];
}
