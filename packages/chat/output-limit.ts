import { fieldRule, type ModelUpstream, refusesMaxTokens } from '@errand/models';
import type { Native } from './dialect.ts';
import type { PaidCall } from './paid-call.ts';
import { type ChatRequest, upstreamBody } from './read-request.ts';

export const completionsPath = '/chat/completions';

/** How an upstream is asked that speaks the caller's dialect. Undefined for one that is asked for a chat completion. */
export const nativeOf = ({ answering }: ChatRequest, { api }: ModelUpstream): Native | undefined =>
  api === 'responses' ? answering.native : undefined;

type Changes = Record<string, string | undefined>;

/** The body for the upstream, with these entries changed. */
export type WriteBody = (changes?: Changes) => Buffer;

/**
 * Asks with the body for the upstream. If the call has a limit of its output, the body says it.
 * Most servers know `max_tokens`, so it is tried first, unless the caller has written `max_completion_tokens`.
 */
export async function askWithLimit<T>(
  { request, outputTokens }: PaidCall,
  upstream: ModelUpstream,
  ask: (write: WriteBody) => Promise<T>,
): Promise<T> {
  const limit = outputTokens ?? ownLimit(request, upstream);
  const bodyWith = (named: Changes) => (changes?: Changes) =>
    upstreamBody(request, upstream, { ...named, ...changes });
  if (limit === undefined) return ask(bodyWith({}));
  const most = String(limit);
  const { max_completion_tokens } = request.body;
  if ((max_completion_tokens ?? null) !== null) return ask(bodyWith(newName(most)));
  try {
    return await ask(bodyWith({ max_tokens: most }));
  } catch (error) {
    if (!refusesMaxTokens(error)) throw error;
    return ask(bodyWith(newName(most)));
  }
}

/** The limit that a dialect has written in its own words, not the caller. */
function ownLimit({ answering, body }: ChatRequest, upstream: ModelUpstream): number | undefined {
  const isTold = answering.renamesLimit && fieldRule(upstream, 'max_tokens') !== 'drop';
  return isTold ? (body.max_tokens ?? undefined) : undefined;
}

const newName = (most: string): Changes => ({ max_tokens: undefined, max_completion_tokens: most });
