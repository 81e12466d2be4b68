import { findModel, type Model, type ModelUpstream } from '@errand/models';
import { DomainError, type Principal, parseJson, readJsonText, validate } from '@errand/platform';
import { injectSkill, type ResolvedSkill, resolveSkill } from '@errand/skills';
import type { Context } from 'hono';
import { compressMessages } from './compress.ts';
import type { ChatDeps } from './deps.ts';
import { editMessages, type Message, readMessages, writeMessages } from './edit-messages.ts';
import { type ChatRequestBody, chatRequest } from './schema.ts';
import { replaceEntries } from './upstream-body.ts';

export interface ChatRequest {
  model: Model;
  /** The id that the caller sent, which may name the compressed variant. */
  modelId: string;
  /** The body as the caller sent it. */
  bytes: Buffer;
  body: ChatRequestBody;
  /** The messages for the upstream, with the skill and the variant's instruction. */
  messages: readonly Message[];
  /** The JSON of `messages`. Undefined if the caller's own messages are sent. */
  writtenMessages: string | undefined;
  skill: ResolvedSkill | undefined;
  /** Whether the caller asked for usage in a separate chunk with empty choices, as OpenAI sends it. */
  wantsUsageChunk: boolean;
}

/** Reads and checks a request: first the body, then the model, then the skill. Throws `DomainError` for the first fault. */
export async function readChatRequest(
  deps: ChatDeps,
  c: Context,
  principal: Principal,
): Promise<ChatRequest> {
  const text = await readJsonText(c);
  const body = validate(chatRequest, parseJson(text));
  const found = findModel(deps.catalogue, body.model);
  if (!found) throw new DomainError('model_not_found', { model: body.model });
  const { model, compressed } = found;
  if (model.kind !== 'chat' && model.kind !== 'vision')
    throw new DomainError('model_kind_unsupported', { model: body.model });
  const skill = await resolveSkill(deps.skills, principal, body.skills);
  const bytes = Buffer.from(text);
  const wantsUsageChunk = body.stream_options?.include_usage === true;
  const request = { model, modelId: body.model, bytes, body, skill, wantsUsageChunk };
  if (!skill && !compressed) return { ...request, messages: body.messages, writtenMessages: undefined };
  let edited = readMessages(bytes, body.messages);
  if (skill) edited = editMessages(edited, (messages) => injectSkill(messages, skill));
  if (compressed) edited = editMessages(edited, compressMessages);
  return { ...request, messages: edited.messages, writtenMessages: writeMessages(edited) };
}

/** The body for an upstream: the caller's bytes, in which only the fields that must differ are replaced. */
export function upstreamBody(
  request: ChatRequest,
  upstream: ModelUpstream,
  changes: Record<string, string | undefined> = {},
): Buffer {
  return replaceEntries(request.bytes, {
    model: JSON.stringify(upstream.model),
    skills: undefined,
    ...(request.writtenMessages !== undefined && { messages: request.writtenMessages }),
    ...changes,
  });
}
