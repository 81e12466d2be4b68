import type { ChatRequest } from '@errand/chat';
import { fieldRule, type ModelUpstream } from '@errand/models';
import { given } from '@errand/platform';
import { withoutKey } from '../ids.ts';
import { type Item, logprobsName, type ResponsesRequest } from '../request/schema.ts';
import { knownFields, knownItem } from './known-fields.ts';

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
function itemFor({ id, ...item }: Item): unknown[] {
  const isReasoning = item.type === 'reasoning';
  if (isReasoning && !item.encrypted_content) return [];
  const known = knownItem(isReasoning ? { id: withoutKey(String(id)), ...item } : item);
  return known === undefined ? [] : [known];
}

/** The fields of a request that an upstream gets. The catalogue's rules name them as chat completions do. */
function keptFields(request: ResponsesRequest, upstream: ModelUpstream): Item {
  const isDropped = (name: string) => fieldRule(upstream, name) === 'drop';
  const asked: Item = Object.fromEntries(
    Object.entries(knownFields).map(([name, keep]) => [
      name,
      keep(request[name as keyof typeof knownFields]),
    ]),
  );
  const without = (name: 'reasoning' | 'text', inner: Readonly<Record<string, string>>) => {
    const fields = Object.entries(asked[name] ?? {}).filter(([field]) => !isDropped(inner[field] ?? field));
    return fields.length > 0 ? Object.fromEntries(fields) : undefined;
  };
  const hasLimit = !isDropped('max_tokens') && !isDropped('max_completion_tokens');
  const hasLogprobs = !isDropped('logprobs');
  const fields: Item = {
    ...asked,
    reasoning: without('reasoning', { effort: 'reasoning_effort' }),
    text: without('text', { format: 'response_format' }),
    ...(!hasLimit && { max_output_tokens: undefined }),
    ...(!hasLogprobs && {
      top_logprobs: undefined,
      include: request.include?.filter((name) => name !== logprobsName),
    }),
  };
  return given(Object.fromEntries(Object.entries(fields).filter(([name]) => !isDropped(name))));
}
