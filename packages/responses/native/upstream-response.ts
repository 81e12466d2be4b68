import { isFields } from '@errand/platform';
import type { Ending } from '../answer/response-object.ts';
import { itemIdOf } from '../ids.ts';

export type Fields = Record<string, unknown>;

/** What an upstream says of how it has worked. The rest of a response is told as it was asked for. */
const told = [
  ...['temperature', 'top_p', 'reasoning', 'text', 'tool_choice', 'parallel_tool_calls', 'service_tier'],
] as const;

export const toldBy = (response: Fields): Fields =>
  Object.fromEntries(
    told.flatMap((name) => ((response[name] ?? null) === null ? [] : [[name, response[name]]])),
  );

/** An item of an upstream under an id that tells its response, too. */
export const withKey = (item: Fields, key: string): Fields =>
  typeof item.id === 'string' ? { ...item, id: itemIdOf(item.id, key) } : item;

/** `usage` as a chat completion has it. */
export function toChatUsage(usage: unknown): Fields | undefined {
  if (!isFields(usage)) return undefined;
  const { input_tokens, input_tokens_details, output_tokens, output_tokens_details, total_tokens } = usage;
  return {
    prompt_tokens: input_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens: output_tokens,
    completion_tokens_details: output_tokens_details,
    total_tokens,
  };
}

/** How a response ended that an upstream calls completed or incomplete. */
export function endingBy({ status, incomplete_details }: Fields): Ending {
  if (status !== 'incomplete') return { status: 'completed', incomplete_details: null, error: null };
  const reason = isFields(incomplete_details) ? incomplete_details.reason : undefined;
  return {
    status,
    incomplete_details: { reason: typeof reason === 'string' ? reason : 'max_output_tokens' },
    error: null,
  };
}

/** The finish_reason that a chat completion would have. */
export const finishReasonOf = ({ status }: Fields): string => (status === 'incomplete' ? 'length' : 'stop');
