import {
  isPassing,
  logFailure,
  type Model,
  type ModelUpstream,
  parseAnswer,
  readBytes,
  refusalReason,
  requestUpstream,
  tryUpstreams,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { answerTime, DomainError, limits, wait } from '@errand/platform';
import type { Asking } from './engine.ts';

const maxAttempts = 2;
const waitMilliseconds = 250;
/** If an upstream asks for a longer wait, the request is refused at once with `at_capacity`. */
const longestRetryAfterSeconds = 1;

/** vLLM's answer for 16,384 positions, with 21 tokens each, has 25 MB. */
const answerBytes = 64 * 1024 * 1024;

/** Every known server uses this word when it refuses a prompt that is too long. */
const overflowWord = 'context';

/**
 * Calls `work` with the model's upstream and, while upstreams fail (busy, unreachable, too slow, unreadable), with each
 * fallback. If the last failure may pass soon, all are tried once more after 250 ms, unless a part of an answer was
 * already read. Throws the codes of `Engine`.
 */
export async function askUpstreams<T>(
  deps: UpstreamDeps,
  model: Model,
  asking: Asking,
  work: (upstream: ModelUpstream, asking: Asking) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryUpstreams(
        deps,
        model,
        (upstream, { signal, heard }) =>
          work(upstream, { ...asking, signal, heard, milliseconds: answerTime(deps) }).catch(
            (error: unknown) => {
              if (!(error instanceof BrokenOff)) throw error;
              logFailure(deps, { model, upstream, error: error.failure });
              throw new DomainError('at_capacity');
            },
          ),
        asking.signal,
      );
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (attempt === maxAttempts || !mayPassSoon(error)) throw toDomainError(model, error);
      await wait(deps, waitMilliseconds, asking.signal);
    }
  }
}

/** An answer ended before it was whole. Its upstream has done the work, so neither it nor a fallback is asked for another. */
class BrokenOff extends Error {
  readonly failure: UpstreamError;

  constructor(failure: UpstreamError) {
    super(failure.message);
    this.failure = failure;
  }
}

const mayPassSoon = (error: UpstreamError): boolean =>
  isPassing(error) && (error.retryAfterSeconds ?? 0) <= longestRetryAfterSeconds;

/** The failure is in the log already. */
function toDomainError(model: Model, error: UpstreamError): DomainError {
  const { kind, code = null, param = null } = error;
  if (kind === 'refused' && error.mentioned)
    return new DomainError('context_length_exceeded', { limitTokens: contextTokens(model) });
  if (kind === 'refused')
    return new DomainError('upstream_refused', { message: refusalReason(error), code, param });
  if (isPassing(error)) return new DomainError('at_capacity');
  if (kind === 'misconfigured') return new DomainError('upstream_misconfigured');
  return new DomainError('unreadable_answer');
}

export const contextTokens = (model: Model): number => model.contextTokens ?? limits.decisionContextTokens;

/** The upstream without `/v1` at the end of its base URL: vLLM and SGLang have routes without that prefix. */
export const atRoot = (upstream: ModelUpstream): ModelUpstream => ({
  ...upstream,
  baseUrl: upstream.baseUrl.replace(/\/v1$/, ''),
});

/** Posts JSON and parses the JSON of the answer. Throws `UpstreamError`, or `BrokenOff`: call it in the work of `askUpstreams`. */
export async function postJson(
  upstream: ModelUpstream,
  request: { path: string; body: string } & Partial<Asking>,
): Promise<unknown> {
  const { signal, heard, milliseconds = limits.answerMilliseconds } = request;
  const response = await requestUpstream(upstream, {
    ...request,
    firstByteMilliseconds: milliseconds,
    watchFor: overflowWord,
  });
  const bytes = await readBytes(response, {
    limitBytes: answerBytes,
    timeoutMilliseconds: milliseconds,
    signal,
    heard,
  }).catch((error: unknown) => {
    throw isPassing(error) && !signal?.aborted ? new BrokenOff(error) : error;
  });
  return parseAnswer(bytes);
}
