import type { WholeCompletion } from '@errand/chat';
import { endingOf, itemStatusOf } from './ending.ts';
import { type Choice, createOutput } from './output.ts';
import { type Finish, type Frame, responseObject } from './response-object.ts';

/** The answer of a chat completion in one piece, as a response. */
export async function wholeAnswer(
  frame: Frame,
  { parsed, tokens, impact }: WholeCompletion,
  finish: Finish,
): Promise<Buffer<ArrayBuffer>> {
  const output = createOutput(frame, () => {});
  const choice = (parsed.choices[0] ?? {}) as Choice;
  output.add(choice);
  const ending = endingOf(choice.finish_reason);
  output.close(itemStatusOf(ending));
  const response = responseObject(frame, { output: output.items, ending, costs: { tokens, impact } });
  return Buffer.from(JSON.stringify(await finish(response)));
}
