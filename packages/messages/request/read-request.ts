import type { ChatDeps } from '@errand/chat';
import type { Model } from '@errand/models';
import {
  asNumber,
  fieldIssue,
  isFields,
  limits,
  newUuid,
  parseExactJson,
  parseJson,
  readJsonText,
  validate,
} from '@errand/platform';
import type { Context } from 'hono';
import type * as v from 'valibot';
import { threadField } from '../errors.ts';
import { tagOf } from '../thinking/mark.ts';
import type { Asked, MessagesRequest } from '../wire.ts';
import { checkFields } from './check-fields.ts';
import { countRequest, messageRequest } from './schema.ts';
import { readModel } from './upstreams.ts';

type ReadingDeps = Pick<ChatDeps, 'catalogue'>;

/** Throws `DomainError` for a body that is no request. */
export const readMessagesRequest = (deps: ReadingDeps, c: Context): Promise<Asked> =>
  readAsked(deps, c, messageRequest);

/** Reads a request whose input alone is to be counted. */
export async function readCountRequest(deps: ReadingDeps, c: Context): Promise<Asked> {
  const asked = await readAsked(deps, c, countRequest);
  return { ...asked, request: { ...asked.request, max_tokens: undefined } };
}

async function readAsked(deps: ReadingDeps, c: Context, schema: v.GenericSchema): Promise<Asked> {
  const request = parseRequest(await readJsonText(c), schema);
  refuseRuns(deps, request.model);
  refuseThread(request);
  const asked = readModel(deps, request.model);
  checkFields(request, asked);
  return {
    request: withBetas(request, asked.model),
    version: headerOf(c, 'anthropic-version', limits.markCharacters) ?? usualVersion,
    betas: betasFor(asked.model, headerOf(c, 'anthropic-beta', limits.anthropicBetaCharacters)),
    requestId: c.get('requestId'),
    messageId: `msg_${newUuid().replaceAll('-', '')}`,
    tag: tagOf(asked.model?.id ?? request.model),
  };
}

/** Throws `DomainError` for a text that is no request. All that it has is kept. */
export function parseRequest(text: string, schema: v.GenericSchema = messageRequest): MessagesRequest {
  const body = readExactly(text);
  validate(schema, body);
  return body as MessagesRequest;
}

/** The body, whose own fields have numbers that can be checked. */
function readExactly(text: string): unknown {
  const body = parseJson(text, parseExactJson);
  return isFields(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, asNumber(value)]))
    : body;
}

function refuseRuns(deps: ReadingDeps, model: string): void {
  if (!model.startsWith('agent:') || readModel(deps, model).model) return;
  throw fieldIssue(
    'model',
    `${model} is a run, which Messages do not start: POST /v1/agents/runs or /v1/responses`,
  );
}

/** Without what its provider keeps, a request that goes on with a thread would ask something else. */
function refuseThread({ thread }: MessagesRequest): void {
  if ((thread ?? null) !== null)
    throw fieldIssue(threadField, 'is not served: no conversation is kept here, send all of its messages');
}

const usualVersion = '2023-06-01';

/** A context of 1,000,000 tokens, of which some models ask a higher price for what is beyond their ordinary one. */
const longContext = { beta: /^\s*context-1m\b/i, tokens: 1_000_000 };

/** Without the beta of a context that the model does not have by the catalogue: what is refused here beforehand is only an estimate. */
function betasFor(model: Model | undefined, betas: string | undefined): string | undefined {
  const { contextTokens = Number.POSITIVE_INFINITY } = model ?? {};
  if (betas === undefined || contextTokens >= longContext.tokens) return betas;
  return (
    betas
      .split(',')
      .filter((beta) => !longContext.beta.test(beta))
      .join(',')
      .trim() || undefined
  );
}

/** Bedrock and servers like it read the betas in a field. */
function withBetas(request: MessagesRequest, model: Model | undefined): MessagesRequest {
  const { anthropic_beta: betas } = request;
  if ((betas ?? null) === null) return request;
  if (typeof betas === 'string') return { ...request, anthropic_beta: betasFor(model, betas) };
  const known = [betas].flat().filter((beta) => typeof beta === 'string');
  return { ...request, anthropic_beta: known.flatMap((beta) => betasFor(model, beta) ?? []) };
}

const visibleAscii = /^[\x20-\x7e]*$/;

/** A header that is sent on. */
function headerOf(c: Context, name: string, most: number): string | undefined {
  const value = c.req.header(name);
  if (value === undefined || value === '') return undefined;
  if (value.length > most) throw fieldIssue(name, `must have at most ${most} characters`);
  if (!visibleAscii.test(value)) throw fieldIssue(name, 'must be visible ASCII');
  return value;
}
