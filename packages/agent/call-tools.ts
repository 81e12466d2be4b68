import type { ToolCall } from '@errand/models';
import { isJson } from './call.ts';
import type { MadeCompletion } from './complete.ts';
import { textEvents } from './data.ts';
import type { AgentState, Progress } from './state.ts';

/** Takes the calls of a completion, which are answered next. */
export function callTools(
  from: AgentState,
  { text, ending, costs }: MadeCompletion,
  calls: ToolCall[],
): Progress {
  const { wasEmpty: _, cutCall: __, ...state } = from;
  const cut =
    ending === 'whole' ? undefined : calls.findLast(({ function: { arguments: json } }) => !isJson(json));
  return {
    events: textEvents(text),
    costs,
    state: {
      ...state,
      cutCall: cut?.id,
      rounds: state.rounds + 1,
      completions: state.completions + 1,
      messages: [
        ...state.messages,
        { role: 'assistant', content: text || null, tool_calls: calls.map((call) => sendable(call, cut)) },
      ],
      calls: [...calls.filter((call) => !isInputRequest(call)), ...calls.filter(isInputRequest)],
      announced: 0,
    },
  };
}

/** Servers refuse a conversation that has arguments which are no JSON. */
const sendable = (call: ToolCall, cut: ToolCall | undefined): ToolCall =>
  call === cut ? { ...call, function: { ...call.function, arguments: '{}' } } : call;

const isInputRequest = (call: ToolCall) => call.function.name === 'request_input';
