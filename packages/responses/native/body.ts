import type { ChatRequest } from '@errand/chat';
import type { ModelUpstream } from '@errand/models';
import { withoutKey } from '../ids.ts';
import { given } from '../request/parts.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';
import { keptFields } from './kept-fields.ts';

export interface NativeRequest {
  request: ResponsesRequest;
  /** The items of the request, with those that came before it. */
  input: readonly Item[];
}

/** The request for an upstream that has Responses itself. It keeps nothing: `input` has what came before, too. */
export function nativeBody(
  asked: NativeRequest,
  { edits }: Pick<ChatRequest, 'edits'>,
  { upstream, outputTokens }: { upstream: ModelUpstream; outputTokens: number | undefined },
): Uint8Array {
  const { request } = asked;
  const prompt = request.instructions ? [{ role: 'system', content: request.instructions }] : [];
  const [edited] = edits.reduce<readonly { role: string; content?: unknown }[]>(
    (all, edit) => edit(all),
    prompt,
  );
  const written = given({
    ...keptFields(request, upstream),
    ...(outputTokens !== undefined && { max_output_tokens: outputTokens }),
    model: upstream.model,
    instructions: edited?.content,
    input: asked.input.flatMap(itemFor),
    stream: request.stream,
    store: false,
  });
  return Buffer.from(JSON.stringify(written));
}

/** The most that such an upstream reads, whatever its rules drop. */
export const nativeBytes = (asked: NativeRequest): number =>
  nativeBody(asked, { edits: [] }, { upstream: { baseUrl: '', model: '' }, outputTokens: undefined }).length;

/** Encrypted reasoning is bound to the upstream's own id. Reasoning without it lies with the upstream, which has not kept it. */
function itemFor({ id, ...item }: Item): Item[] {
  if (item.type !== 'reasoning') return [item];
  return item.encrypted_content ? [{ ...item, id: withoutKey(String(id)) }] : [];
}
