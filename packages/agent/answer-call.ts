import type { ToolCall } from '@errand/models';
import { limits } from '@errand/platform';
import type { RunDeps } from './answer/answer-form.ts';
import { contextCharacters, contextLeft, cutText, density } from './context/size.ts';
import { roundsNote } from './conversation.ts';
import type { ConversationMessage } from './data.ts';
import type { AgentDeps } from './deps.ts';
import { isConfirmation } from './offered-tools.ts';
import { markOutside } from './outside/material.ts';
import { numberSources } from './sources/number-sources.ts';
import type { Acting, Progress, Thinking } from './state.ts';
import type { ToolAnswer } from './tool.ts';

/** The largest share of the context for one result of a tool, and for all results of a turn. */
const oneResult = 0.4;
const resultsOfTurn = 0.8;

/** The result as far as it fits the context beside the other results of its turn. */
export function cutResult(
  deps: Pick<AgentDeps, 'reasoning' | 'tools'>,
  messages: readonly ConversationMessage[],
  result: string,
): string {
  const share = contextCharacters(contextLeft(deps)) * resultShare(messages);
  return cutText(result, Math.floor(share / density(result)));
}

function resultShare(messages: readonly ConversationMessage[]): number {
  const asked = messages.findLast(({ role }) => role !== 'tool');
  const calls = asked?.role === 'assistant' ? (asked.tool_calls?.length ?? 1) : 1;
  return Math.min(oneResult, resultsOfTurn / Math.min(calls, limits.toolCallsPerCompletion));
}

/** The commit of a call's answer, with the state before the next phase is chosen. */
interface Answered extends Progress {
  state: Acting;
}

export async function answerCall(
  deps: AgentDeps,
  state: Acting,
  call: ToolCall,
  answer: ToolAnswer,
): Promise<Answered> {
  const { sources, numbers } = numberSources(state.sources, answer.cited?.sources ?? []);
  const result = answer.cited?.text(numbers) ?? answer.text;
  const told = answer.cited?.forModelAlone ? answer.text : result;
  const text = cutResult(deps, state.messages, result);
  const { savedFile, savedOutside } = answer;
  return {
    events: isUntold(call) ? [] : [{ type: 'tool_result', toolName: call.function.name, result: told }],
    costs: await deps.calls.toCosts(
      state,
      `tool-${state.completions}-${answeredInTurn(state)}`,
      answer.costs ?? [],
    ),
    state: {
      ...state,
      ...(answer.isOutside && { outsideSince: state.outsideSince ?? state.completions }),
      ...(savedFile && { savedFiles: { ...state.savedFiles, [savedFile.name]: savedFile.bytes } }),
      ...(savedOutside !== undefined && {
        savedOutside: [...new Set([...state.savedOutside, savedOutside])],
      }),
      sources,
      messages: [
        ...state.messages,
        { role: 'tool', tool_call_id: call.id, content: answer.isOutside ? markOutside(text) : text },
      ],
      calls: state.calls.filter((waiting) => waiting !== call),
      announced: state.announced - 1,
      begun: state.begun === undefined ? undefined : state.begun - 1 || undefined,
    },
  };
}

/** The answers of the last turn in the order of its calls: some may have come in a later run. */
export function inOrderOfCalls(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const last = messages.findLastIndex(({ role }) => role !== 'tool');
  const turn = messages[last];
  const ids = turn?.role === 'assistant' ? (turn.tool_calls ?? []).map(({ id }) => id) : [];
  const place = (message: ConversationMessage) =>
    message.role === 'tool' ? ids.indexOf(message.tool_call_id) : 0;
  const answers = messages.slice(last + 1).toSorted((one, other) => place(one) - place(other));
  return [...messages.slice(0, last + 1), ...answers];
}

/** Once every call is answered, the model is asked again. If few rounds are left, it reads so under the last result. */
export function afterAnswer(
  { form, mostRounds }: Pick<RunDeps, 'form' | 'mostRounds'>,
  state: Acting,
): Acting | Thinking {
  if (state.calls.length > 0) return state;
  const {
    calls: _,
    announced: __,
    cutCall: ___,
    begun: ____,
    approved: _____,
    judged: ______,
    ...rest
  } = state;
  const messages = inOrderOfCalls(state.messages);
  const last = messages.at(-1);
  const note = roundsNote(state, mostRounds, form.checkNote);
  if (note === undefined || last?.role !== 'tool') return { ...rest, messages, phase: 'think' };
  return { ...rest, messages, phase: 'think', notes: { ...state.notes, [last.tool_call_id]: note } };
}

/** How many calls of the last completion are answered. */
export function answeredInTurn(state: Acting): number {
  const lastOther = state.messages.findLastIndex((message) => message.role !== 'tool');
  return state.messages.length - 1 - lastOther;
}

/** Readers see no event of the call: it is about the answer, not about the question. */
export const isUntold = ({ function: { name } }: ToolCall): boolean => isConfirmation(name);
