import { fieldRule, type ModelUpstream, namingLimit, type UpstreamDeps } from '@errand/models';
import type { ChatRequest, Native } from './dialect.ts';
import type { ChatCall } from './paid-call.ts';
import { upstreamBody } from './read-request.ts';
import { translatedMessages } from './translated-messages.ts';

export const completionsPath = '/chat/completions';

/** How to ask an upstream that is not asked for a chat completion. Undefined for any other. */
export function nativeOf(
  deps: Pick<UpstreamDeps, 'clock'>,
  { answering }: ChatRequest,
  { api }: ModelUpstream,
): Native | undefined {
  if (answering.native?.api === api) return answering.native;
  return api === 'messages' ? translatedMessages(deps) : undefined;
}

type Changes = Record<string, string | undefined>;

/** The body for the upstream, with these entries changed. */
export type WriteBody = (changes?: Changes) => Buffer;

/**
 * Asks with the body for the upstream. If the call has an output limit, the body states it under the caller's name
 * for the field, or under the name that the upstream knows.
 */
export function askWithLimit<T>(
  deps: Pick<UpstreamDeps, 'log'>,
  { request, outputTokens }: ChatCall,
  upstream: ModelUpstream,
  ask: (write: WriteBody) => Promise<T>,
): Promise<T> {
  const limit = outputTokens ?? ownLimit(request, upstream);
  const bodyWith = (named: Changes) => (changes?: Changes) =>
    upstreamBody(request, upstream, { ...named, ...changes });
  if (limit === undefined) return ask(bodyWith({}));
  const most = String(limit);
  const { max_completion_tokens } = request.body;
  const newName = { max_tokens: undefined, max_completion_tokens: most };
  if ((max_completion_tokens ?? null) !== null) return ask(bodyWith(newName));
  return namingLimit(deps, upstream, (name) =>
    ask(bodyWith(name === 'max_tokens' ? { max_tokens: most } : newName)),
  );
}

/** The output limit that the dialect wrote in its own words; the caller did not write it. */
function ownLimit({ answering, body }: ChatRequest, upstream: ModelUpstream): number | undefined {
  const isTold = answering.renamesLimit && fieldRule(upstream, 'max_tokens') !== 'drop';
  return isTold ? (body.max_tokens ?? undefined) : undefined;
}
