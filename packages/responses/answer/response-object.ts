import type { Impact, Usage } from '@errand/models';
import { toSeconds } from '@errand/platform';
import { responseIdOf } from '../ids.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';

type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** How a response ended, or that it has not. */
export interface Ending {
  status: ResponseStatus;
  incomplete_details: { reason: string } | null;
  error: { code: string; message: string } | null;
}

export const inProgress: Ending = { status: 'in_progress', incomplete_details: null, error: null };

/** A response as callers read it. */
export interface ResponseObject extends Ending {
  id: string;
  object: 'response';
  output: readonly object[];
  [field: string]: unknown;
}

/** What is the same in a response from its first event to its last. */
export interface Frame {
  key: string;
  createdAtMilliseconds: number;
  request: ResponsesRequest;
}

interface Answered {
  output: readonly object[];
  ending: Ending;
  costs?: { tokens: Usage; impact: Impact } | undefined;
}

/** Everything that was asked for is shown again, with what holds where nothing was asked for. */
export function responseObject(
  { key, createdAtMilliseconds, request }: Frame,
  { output, ending, costs }: Answered,
): ResponseObject {
  const { text, reasoning } = request;
  return {
    id: responseIdOf(key),
    object: 'response',
    created_at: toSeconds(createdAtMilliseconds),
    completed_at: null,
    ...ending,
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: request.model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    service_tier: request.service_tier ?? 'default',
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    text: { ...text, format: text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: (request.tools ?? []).map(wholeTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
    usage: costs ? usageOf(costs.tokens) : null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
    ...(costs && { impact: costs.impact }),
  };
}

const wholeTool = (tool: Item): Item =>
  tool.type === 'function' ? { description: null, parameters: null, strict: null, ...tool } : tool;

/** A response that is complete by then. */
export const completedAt = (milliseconds: number, response: ResponseObject): ResponseObject =>
  response.status === 'completed' ? { ...response, completed_at: toSeconds(milliseconds) } : response;

const usageOf = ({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens = 0 }: Usage) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedInputTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: inputTokens + outputTokens,
});

/** Does what is to be done before a response's end is told, and returns what is told. Never throws. */
export type Finish = (response: ResponseObject) => Promise<ResponseObject>;
