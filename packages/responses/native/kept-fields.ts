import { fieldRule, type ModelUpstream } from '@errand/models';
import { given } from '../request/parts.ts';
import { type Item, logprobsName, type ResponsesRequest } from '../request/schema.ts';

/** What reaches an upstream as it was sent. Marks of the caller and what is kept are between us and the caller. */
const passed = [
  ...['max_output_tokens', 'parallel_tool_calls', 'temperature', 'top_p', 'presence_penalty'],
  ...['frequency_penalty', 'top_logprobs', 'tools', 'tool_choice', 'text', 'reasoning', 'include'],
  'service_tier',
] as const satisfies readonly (keyof ResponsesRequest)[];

/** The fields of a request that an upstream gets. The catalogue's rules name them as chat completions do. */
export function keptFields(request: ResponsesRequest, upstream: ModelUpstream): Item {
  const isDropped = (name: string) => fieldRule(upstream, name) === 'drop';
  const without = (name: 'reasoning' | 'text', inner: Readonly<Record<string, string>>) => {
    const fields = Object.entries(request[name] ?? {}).filter(([field]) => !isDropped(inner[field] ?? field));
    return fields.length > 0 ? Object.fromEntries(fields) : undefined;
  };
  const hasLimit = !isDropped('max_tokens') && !isDropped('max_completion_tokens');
  const hasLogprobs = !isDropped('logprobs');
  const fields: Item = {
    ...Object.fromEntries(passed.map((name) => [name, request[name]])),
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
