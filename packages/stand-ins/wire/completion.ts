import { createHash } from 'node:crypto';
import { decide } from '../decide.ts';
import { estimateTokens } from '../words.ts';
import { type ChatRequest, readToolChoice } from './chat-request.ts';

export interface CompletionCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** An answer, streamed or not. All of its choices are the same. */
export interface Completion {
  id: string;
  created: number;
  model: string;
  content: string | null;
  calls: CompletionCall[];
  finishReason: 'stop' | 'length' | 'tool_calls';
  choices: number;
  usage: ReturnType<typeof countUsage>;
}

const imageTokens = 85;

export function complete(request: ChatRequest, created: number): Completion {
  const digest = digestOf(request);
  const decision = decide(request);
  const calls = 'calls' in decision ? decision.calls.map((call, index) => toCall(call, index, digest)) : [];
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  const whole = 'text' in decision ? decision.text : null;
  const content = whole === null ? null : cutToTokens(whole, limit);
  // OpenAI ends a call of a function that the request named with `stop`, streamed or not.
  const called = readToolChoice(request).mode === 'named' ? 'stop' : 'tool_calls';
  const finishReason = calls.length > 0 ? called : content === whole ? 'stop' : 'length';
  const choices = request.n ?? 1;
  const usage = countUsage(request, content ?? '', calls, choices);
  return {
    id: `chatcmpl-${digest.slice(0, 24)}`,
    created,
    model: request.model,
    content,
    calls,
    finishReason,
    choices,
    usage,
  };
}

/** The digest from which ids are made. A request gets the same ids, streamed or not. */
function digestOf({ stream: _stream, stream_options: _options, ...asked }: ChatRequest): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/** The body of an answer that is not streamed. */
export function toBody({ id, created, model, content, calls, finishReason, choices, usage }: Completion) {
  const toolCalls = calls.length > 0 ? { tool_calls: calls } : {};
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: { role: 'assistant', content, refusal: null, ...toolCalls },
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage,
    system_fingerprint: 'fp_stand_in',
  };
}

function toCall(
  { tool, input }: { tool: string; input: unknown },
  index: number,
  digest: string,
): CompletionCall {
  const hash = createHash('sha256').update(`${digest} ${index}`).digest('hex');
  return {
    id: `call_${hash.slice(0, 24)}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  };
}

function countUsage(
  request: ChatRequest,
  content: string,
  calls: readonly CompletionCall[],
  choices: number,
) {
  const images = request.messages.flatMap(({ content: parts }) =>
    Array.isArray(parts) ? parts.filter(({ type }) => type === 'image_url') : [],
  );
  const withoutImages = JSON.stringify([request.messages, request.tools ?? []], (key, value: unknown) =>
    key === 'image_url' ? null : value,
  );
  const promptTokens = estimateTokens(withoutImages) + images.length * imageTokens;
  const answered = content + calls.map(({ function: { name, arguments: input } }) => name + input).join('');
  const completionTokens = estimateTokens(answered) * choices;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

/** Cuts the text between two characters, so that `estimateTokens` counts no more than `tokens`. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > tokens * 4) break;
    end += character.length;
  }
  return text.slice(0, end);
}
