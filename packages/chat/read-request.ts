import { findModel, type Model, type ModelUpstream } from '@errand/models';
import { DomainError, type Principal, parseJson, readJsonText, validate } from '@errand/platform';
import { injectSkill, type ResolvedSkill, resolveSkill } from '@errand/skills';
import type { Context } from 'hono';
import { compressMessages } from './compress.ts';
import type { ChatDeps } from './deps.ts';
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
  messages: readonly { role: string; content?: unknown }[];
  skill: ResolvedSkill | undefined;
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
  const skilled = skill ? injectSkill(body.messages, skill) : body.messages;
  const messages = compressed ? compressMessages(skilled) : skilled;
  return { model, modelId: body.model, bytes: Buffer.from(text), body, messages, skill };
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
    ...(request.messages !== request.body.messages && { messages: JSON.stringify(request.messages) }),
    ...changes,
  });
}
