import { type ChatRequest, droppedFields } from '@errand/chat';
import type { ModelUpstream } from '@errand/models';
import { withoutKey } from '../ids.ts';
import { given } from '../request/parts.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';

/** What reaches an upstream as it was sent. Marks of the caller and what is kept are between us and the caller. */
const passed = [
  ...['max_output_tokens', 'parallel_tool_calls', 'temperature', 'top_p', 'presence_penalty'],
  ...[
    'frequency_penalty',
    'top_logprobs',
    'tools',
    'tool_choice',
    'text',
    'reasoning',
    'include',
    'service_tier',
  ],
] as const satisfies readonly (keyof ResponsesRequest)[];

/** The request for an upstream that has Responses itself. It keeps nothing: `input` has what came before, too. */
export function nativeBody(
  { request, input }: { request: ResponsesRequest; input: readonly Item[] },
  { body, edits }: Pick<ChatRequest, 'body' | 'edits'>,
  { upstream, outputTokens }: { upstream: ModelUpstream; outputTokens: number | undefined },
): Uint8Array {
  const prompt = request.instructions ? [{ role: 'system', content: request.instructions }] : [];
  const [edited] = edits.reduce<readonly { role: string; content?: unknown }[]>(
    (all, edit) => edit(all),
    prompt,
  );
  const fields = Object.fromEntries(passed.map((name) => [name, request[name]]));
  const written = given({
    ...fields,
    ...(outputTokens !== undefined && { max_output_tokens: outputTokens }),
    ...droppedFields(upstream, body),
    model: upstream.model,
    instructions: edited?.content,
    input: input.flatMap(itemFor),
    stream: request.stream,
    store: false,
  });
  return Buffer.from(JSON.stringify(written));
}

/** Encrypted reasoning is bound to the upstream's own id. Reasoning without it lies with the upstream, which has not kept it. */
function itemFor({ id, ...item }: Item): Item[] {
  if (item.type !== 'reasoning') return [item];
  return item.encrypted_content ? [{ ...item, id: withoutKey(String(id)) }] : [];
}
