import type { ToolCall } from '@errand/models';
import { checkJsonSize, type OrderedJson, parseOrderedJson, stringifyOrderedJson } from '@errand/platform';
import * as v from 'valibot';
import type { AnswerForm } from './answer/answer-form.ts';
import type { Acting, Thinking } from './state.ts';
import { defineTool, type Tool } from './tool.ts';

/** The tool that ends the final check. It is never run, and readers see no event of it. */
const confirmAnswer = defineTool({
  name: 'confirm_answer',
  description:
    'Ends the final check, and is of no use before it: the answer is sent as it stands or, if it has to change, as given here.',
  parameters: v.object({
    answer: v.optional(
      v.pipe(v.string(), v.description('The new answer, whole. Left out if nothing changes.')),
    ),
  }),
  timeoutMilliseconds: 1_000,
  sends: 'nothing',
  run: async () => 'The answer is sent.',
});

export const isConfirmation = (name: string): boolean => name === confirmAnswer.name;

/**
 * The tools of every completion of the run, from the first to the last: providers put them before the messages, so that
 * another list would cost the run all that they have cached.
 */
export const offeredTools = (tools: readonly Tool[]): readonly Tool[] => [...tools, confirmAnswer];

export const isAnswered = (state: Thinking | Acting): boolean =>
  state.part === 'check' && state.answer.trim() !== '';

/** Why a tool of the list may not be called now, in words for the model. Undefined if it may. */
export function notNow(state: Acting, name: string): string | undefined {
  if (name === 'request_input' && isAnswered(state))
    return 'Error: There is an answer, so no input is asked for. Say in the answer what is missing.';
  if (!isConfirmation(name)) return undefined;
  return isAnswered(state)
    ? 'Error: Other tools were called beside this one, so nothing is confirmed yet.'
    : 'Error: It is not time for this: there is no answer yet. Write the answer as your message, without a call.';
}

/**
 * The answer with which a completion ends the check by calling `confirm_answer` and nothing else; empty if the loop's answer
 * stays, also where the call was cut or cannot be read. Undefined if the check does not end with this completion.
 */
export function confirmedAnswer(
  state: Thinking,
  { calls, ending }: { calls: readonly ToolCall[]; ending: string },
  { value }: AnswerForm,
): string | undefined {
  if (state.part !== 'check' || calls.length === 0) return undefined;
  if (!calls.every(({ function: { name } }) => isConfirmation(name))) return undefined;
  const read = value ? valueIn : answerIn;
  const given = ending === 'whole' ? calls.map(({ function: { arguments: json } }) => read(json)) : [];
  return given.find((answer) => answer !== '') ?? (isAnswered(state) ? '' : undefined);
}

function answerIn(json: string): string {
  try {
    const { answer } = JSON.parse(json) as { answer?: unknown };
    return typeof answer === 'string' && answer.trim() !== '' ? answer.toWellFormed() : '';
  } catch {
    return '';
  }
}

/** Models also give a value as JSON in place of its text, or as the arguments. */
function valueIn(json: string): string {
  const text = answerIn(json);
  if (text !== '') return text;
  try {
    checkJsonSize(json);
    const { value } = parseOrderedJson(json);
    if (!(value instanceof Map)) return '';
    const given: OrderedJson = value.get('answer') ?? (value.has('value') ? value : null);
    return given instanceof Map ? stringifyOrderedJson(given).toWellFormed() : '';
  } catch {
    return '';
  }
}
