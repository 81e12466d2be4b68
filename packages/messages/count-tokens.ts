import { checkModel } from '@errand/accounts';
import { type ChatDeps, readChatBody } from '@errand/chat';
import {
  askWhole,
  countFileTokens,
  countText,
  type Model,
  type ModelUpstream,
  parseAnswer,
  readTokenCount,
  settleRefusal,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import {
  type AuthenticatedEnv,
  type DeadlineEnv,
  DomainError,
  describeError,
  limits,
  requestLog,
  ThreadError,
} from '@errand/platform';
import { readPrecondition, resolveSkill, showSkill } from '@errand/skills';
import type { Context } from 'hono';
import { nativeBody } from './native/body.ts';
import { nativeAnswering } from './native/native.ts';
import { readCountRequest } from './request/read-request.ts';
import { toCompletion } from './request/to-completion.ts';
import { readModel } from './request/upstreams.ts';
import type { Asked } from './wire.ts';

type CountContext = Context<AuthenticatedEnv & DeadlineEnv>;

/**
 * Counts the input of a request, as its upstream does if that speaks the protocol itself, else by o200k. It costs nothing. Throws
 * `DomainError`.
 */
export async function countTokens(all: ChatDeps, c: CountContext): Promise<{ input_tokens: number }> {
  const { principal, deadline } = c.var;
  const deps = { ...all, log: requestLog(c, all.log) };
  const asked = await readCountRequest(deps, c);
  const text = JSON.stringify(toCompletion(deps, asked));
  const { body, model, sent } = readChatBody(deps.catalogue, text, principal);
  checkModel(principal, body.model, model.id);
  const skill = await resolveSkill(deps.skills, principal, body.skills, readPrecondition(c));
  showSkill(c, skill);
  const options = { signal: deadline.signal, owner: principal.accountId };
  const [upstream] = readModel(deps, body.model).native;
  const told = upstream && (await countThere(deps, asked, { model, upstream }, deadline.signal));
  const tokens = told ?? (await countHere(deps, { model, sent, files: countFileTokens(body) }, options));
  return { input_tokens: tokens + (skill?.injectedTokens ?? 0) };
}

/** What has nothing to do with the input: providers refuse these fields where they count. */
const ofAnswers = {
  ...{ max_tokens: undefined, stream: undefined, stop_sequences: undefined, metadata: undefined },
  ...{ temperature: undefined, top_p: undefined, top_k: undefined, service_tier: undefined },
};

const answerBytes = 64 * 1024;

/** The tokens by the count of an upstream. Undefined if it does not count. Throws the signal's reason. */
async function countThere(
  deps: UpstreamDeps,
  asked: Asked,
  { model, upstream }: { model: Model; upstream: ModelUpstream },
  signal: AbortSignal,
): Promise<number | undefined> {
  const { headers } = nativeAnswering(asked);
  const counted = { ...asked, request: { ...asked.request, ...ofAnswers } };
  const body = nativeBody(counted, { edits: [] }, { upstream, outputTokens: undefined });
  const firstByteMilliseconds = limits.upstreamCountMilliseconds;
  const path = '/messages/count_tokens';
  try {
    const request = { path, headers, body, signal, firstByteMilliseconds, limitBytes: answerBytes };
    const { bytes } = await askWhole(deps, upstream, request);
    return readTokenCount((parseAnswer(bytes) as { input_tokens?: unknown } | null)?.input_tokens);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // A server without the route is set up right.
    if (error.kind === 'misconfigured' && error.status !== 404 && error.status !== 405)
      settleRefusal(deps, model, upstream, error);
    return undefined;
  }
}

/** The tokens by o200k, and an estimate for pictures and files. Counting stops where a completion would be refused for its length. */
async function countHere(
  { log }: Pick<ChatDeps, 'log'>,
  {
    model: { contextTokens = Number.POSITIVE_INFINITY },
    sent,
    files,
  }: { model: Pick<Model, 'contextTokens'>; sent: Buffer; files: number },
  options: { signal: AbortSignal; owner: string },
): Promise<number> {
  try {
    const most = Math.floor(contextTokens * limits.completionInputContexts) + 1;
    return files + (await countText(sent, Math.min(most, Number.MAX_SAFE_INTEGER), options));
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    log.warn('input not counted', describeError(error));
    throw new DomainError('at_capacity');
  }
}
