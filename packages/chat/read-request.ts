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
  /** The id that the caller asked for, which may be the compressed variant's. */
  modelId: string;
  /** As sent. */
  bytes: Buffer;
  body: ChatRequestBody;
  /** What the upstream gets for `messages`. */
  messages: readonly Message[];
  /** The same as JSON, where it differs from what was sent. */
  writtenMessages: string | undefined;
  skill: ResolvedSkill | undefined;
  /** Asked for usage as OpenAI sends it: on a chunk of its own, with empty choices. */
  wantsUsageChunk: boolean;
}

/** Reads and checks a request, in the order in which callers hear of faults: body, model, skill. */
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

/** The request as an upstream gets it: only what must change differs from what the caller sent. */
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
