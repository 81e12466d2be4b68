import type { ChatDeps } from '@errand/chat';
import type { Model } from '@errand/models';
import { fieldIssue, given } from '@errand/platform';
import type { Asked } from '../wire.ts';
import type { Fields } from './fields.ts';
import { toMessages } from './messages.ts';
import { toToolChoice, toTools } from './tools.ts';
import { type AskedModel, isNativeAlone, readModel } from './upstreams.ts';

/** The chat completion that asks a model for what a request asks for. Throws `invalid_request`. */
export function toCompletion(deps: Pick<ChatDeps, 'catalogue'>, { request, tag }: Asked): Fields {
  const asked = readModel(deps, request.model);
  const isNative = isNativeAlone(asked);
  const keepsCache =
    asked.translated.length > 0 && asked.translated.every(({ caching }) => caching === 'anthropic');
  const messages = toMessages(request, { keepsCache, takesDocumentUrls: isNative, tag });
  if (messages.length === 0)
    throw fieldIssue('messages', 'must have a text, or another block that is known here');
  const tools = toTools(request, isNative);
  const choice = toToolChoice(request.tool_choice);
  const { model, stream, stop_sequences, temperature, top_p, top_k } = request;
  const metadata = (request.metadata ?? {}) as Fields;
  const completion: Fields = {
    ...given({ model, messages, stream, stop: stop_sequences, temperature, top_p, top_k }),
    ...(tools.length > 0 && { tools, ...choice }),
    ...given({
      user: metadata.user_id,
      reasoning_effort: toEffort(request, asked),
      response_format: toFormat(request),
      service_tier: request.service_tier === 'standard_only' ? 'default' : request.service_tier,
      speed: request.speed,
      cache_control: request.cache_control,
    }),
    ...('skills' in request && { skills: request.skills }),
  };
  const { max_tokens } = request;
  if (max_tokens === undefined) return completion;
  return { ...completion, max_tokens: mostTokens(max_tokens, asked.model, completion) };
}

const outputConfig = ({ output_config }: Asked['request']): Fields => (output_config ?? {}) as Fields;

const efforts: ReadonlyMap<unknown, string> = new Map([
  ...['low', 'medium', 'high'].map((effort) => [effort, effort] as const),
  ...['xhigh', 'max'].map((effort) => [effort, 'high'] as const),
]);

/** Many servers refuse the field, and Claude Code always sends it: only those get it of which the catalogue says that they take it. */
function toEffort(request: Asked['request'], { translated }: AskedModel): string | undefined {
  const isTaken =
    translated.length > 0 && translated.every(({ fields }) => fields?.reasoning_effort === 'pass');
  return isTaken ? efforts.get(outputConfig(request).effort) : undefined;
}

/** `output_format` is what the field was called at first. */
function toFormat(request: Asked['request']): object | undefined {
  const format = outputConfig(request).format ?? request.output_format;
  if (format === null || format === undefined) return undefined;
  const { type, schema } = format as Fields;
  if (type !== 'json_schema') throw fieldIssue('output_config.format.type', 'must be json_schema');
  return { type, json_schema: { name: 'answer', schema, strict: true } };
}

/**
 * What is asked for, or the most that the model can write where that is less: clients ask for the most that the models of another
 * provider can write. What the context leaves is at least half of it, as no text has more tokens than bytes.
 */
function mostTokens(asked: number, model: Model | undefined, completion: Fields): number {
  const { contextTokens = Number.POSITIVE_INFINITY, maxOutputTokens = Number.POSITIVE_INFINITY } =
    model ?? {};
  const most = Math.min(asked, maxOutputTokens);
  const half = Math.max(1, Math.floor(contextTokens / 2));
  if (most <= half) return most;
  return Math.min(most, Math.max(half, contextTokens - Buffer.byteLength(JSON.stringify(completion))));
}
