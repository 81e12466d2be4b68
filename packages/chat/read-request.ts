import { checkModel, mayUseModel } from '@errand/accounts';
import {
  type Catalogue,
  findModel,
  type Model,
  type ModelUpstream,
  priceAt,
  unknownModel,
  writesText,
} from '@errand/models';
import {
  DomainError,
  fieldIssue,
  type Principal,
  parseJson,
  refuseMisspelt,
  validate,
} from '@errand/platform';
import { injectSkill, readPrecondition, resolveSkill, showSkill } from '@errand/skills';
import type { Context } from 'hono';
import { boundRequest, checkContext, toldOutput } from './bound-request.ts';
import { compressMessages } from './compress.ts';
import type { ChatDeps } from './deps.ts';
import type { ChatRequest, Dialect, ReadRequest } from './dialect.ts';
import { type Edit, editMessages, readMessages, writeMessages } from './edit-messages.ts';
import { findNamedImages, type NamedImage } from './image-urls.ts';
import { inlineImages } from './inline-images.ts';
import { inputsOf } from './input.ts';
import { checkFields, checkTranslation, droppedFields } from './request-fields.ts';
import { chatRequest } from './schema.ts';
import { replaceEntries } from './upstream-body.ts';

/**
 * Reads and checks a request: first the body, then the model, then the fields that the model takes, then the skill, then
 * the length. Throws `DomainError` for the first fault, or the signal's reason. From the skill on, whatever is answered has
 * its headers.
 */
export async function readChatRequest(
  deps: ChatDeps,
  dialect: Dialect,
  c: Context,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
): Promise<ReadRequest> {
  const { text, answering } = await dialect.read(c, principal);
  const read = readChatBody(deps.catalogue, text, principal);
  const { body, model } = read;
  checkTranslation(model, body, answering);
  checkModel(principal, body.model, model.id);
  const skill = await resolveSkill(deps.skills, principal, body.skills, readPrecondition(c));
  showSkill(c, skill);
  const inputs = inputsOf({ ...read, answering });
  await checkContext(deps, { model, skill, inputs }, { signal, owner: principal.accountId });
  const price = priceAt(model, deps.clock());
  const request = { ...read, modelId: body.model, skill, price, answering };
  return { ...request, bound: boundRequest(price, request, inputs), toldTokens: toldOutput(request) };
}

/** Fetches the images of a request that was let in, and writes its messages. Throws `DomainError`, or the signal's reason. */
export async function finishRequest(
  deps: Pick<ChatDeps, 'web'>,
  { sent, images, compressed, ...read }: ReadRequest,
  signal: AbortSignal,
): Promise<ChatRequest> {
  const { body, skill } = read;
  const bytes = await inlineImages(deps.web, sent, images, signal);
  const edits: Edit[] = [];
  if (skill) edits.push((messages) => injectSkill(messages, skill));
  if (compressed) edits.push(compressMessages);
  const request = { ...read, bytes, edits };
  if (edits.length === 0) return { ...request, messages: body.messages, writtenMessages: undefined };
  const edited = edits.reduce(editMessages, readMessages(bytes, body.messages));
  return { ...request, messages: edited.messages, writtenMessages: writeMessages(edited) };
}

/** The checks of a request that need nothing but its body and the catalogue. */
export function readChatBody(catalogue: Catalogue, text: string, principal: Principal) {
  const json = parseJson(text);
  const body = validate(chatRequest, json);
  refuseMisspelt(json, cappingFields, chatRequest.entries);
  const found = findModel(catalogue, body.model);
  if (!found)
    throw unknownModel(
      catalogue,
      body.model,
      (model, id) => writesText(model.kind) && mayUseModel(principal, id, model.id),
    );
  const { model, compressed } = found;
  if (!writesText(model.kind)) throw new DomainError('model_kind_unsupported', { model: body.model });
  const sent = Buffer.from(text);
  checkFields(model, sent, body);
  return { model, compressed, body, sent, images: namedImages(model, sent) };
}

/** They cap what a completion costs. */
const cappingFields = ['max_tokens', 'max_completion_tokens'];

/** The images that are to be fetched. Throws `invalid_request` if the model takes none by address. */
function namedImages(model: Model, bytes: Buffer): NamedImage[] {
  const rule = model.imageUrls ?? 'pass';
  if (rule === 'pass') return [];
  const images = findNamedImages(bytes);
  const [first] = images;
  if (rule === 'refuse' && first)
    throw fieldIssue(first.param, 'must be a data URL: this model takes no addresses');
  return images;
}

/** The body for an upstream: the caller's bytes, in which only the fields that must differ are replaced. */
export function upstreamBody(
  request: Pick<ChatRequest, 'bytes' | 'body' | 'writtenMessages'>,
  upstream: ModelUpstream,
  changes: Record<string, string | undefined> = {},
): Buffer {
  return replaceEntries(request.bytes, {
    model: JSON.stringify(upstream.model),
    skills: undefined,
    ...droppedFields(upstream, request.body),
    ...(request.writtenMessages !== undefined && { messages: request.writtenMessages }),
    ...changes,
  });
}
