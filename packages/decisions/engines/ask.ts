import {
  isPassing,
  type Model,
  type ModelUpstream,
  readBytes,
  requestUpstream,
  tryUpstreams,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { DomainError, delay, limits } from '@errand/platform';

const attempts = 2;
const waitMilliseconds = 250;
/** An upstream that asks for a longer wait is not waited for: the caller is told to retry. */
const longestRetryAfterSeconds = 1;

/** 16,384 positions of 21 entries of vLLM's take 25 MB. */
const answerBytes = 64 * 1024 * 1024;

/** A word that every known server's refusal of a prompt that is too long has in its text. */
const overflowWord = 'context';

/**
 * Works with the model's upstream, or its fallbacks where that is busy or out of reach, and once more after a short
 * wait. Only what failed before anything of an answer was read is tried again.
 */
export async function askUpstreams<T>(
  deps: UpstreamDeps,
  model: Model,
  signal: AbortSignal,
  work: (upstream: ModelUpstream) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryUpstreams(deps, model, work);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (attempt === attempts || !mayPassSoon(error)) throw toRefusal(deps, model, error);
      await (deps.wait ?? delay)(waitMilliseconds, signal);
    }
  }
}

const mayPassSoon = (error: UpstreamError): boolean =>
  isPassing(error) && (error.retryAfterSeconds ?? 0) <= longestRetryAfterSeconds;

function toRefusal(deps: UpstreamDeps, model: Model, error: UpstreamError): DomainError {
  const { kind, status } = error;
  if (kind === 'refused' && error.mentioned)
    return new DomainError('context_length_exceeded', { limitTokens: contextTokens(model) });
  if (isPassing(error)) return new DomainError('at_capacity');
  deps.log.error('decision upstream failed', { model: model.id, failure: kind, status });
  return new DomainError(kind === 'misconfigured' ? 'upstream_misconfigured' : 'unreadable_answer');
}

export const contextTokens = (model: Model): number => model.contextTokens ?? limits.decisionContextTokens;

/** The base URL may have the version prefix or not; both servers have routes beside it. */
export const atRoot = (upstream: ModelUpstream): ModelUpstream => ({
  ...upstream,
  baseUrl: upstream.baseUrl.replace(/\/v1$/, ''),
});

/** Posts JSON and reads JSON. Throws `UpstreamError`; `at_capacity` for an answer that broke off. */
export async function postJson(
  upstream: ModelUpstream,
  { path, body, signal }: { path: string; body: string; signal?: AbortSignal },
): Promise<unknown> {
  const stop = signal && { signal };
  const response = await requestUpstream(atRoot(upstream), {
    path,
    body,
    ...stop,
    firstByteMilliseconds: limits.answerMilliseconds,
    watchFor: overflowWord,
  });
  const bytes = await readBytes(response, {
    limitBytes: answerBytes,
    timeoutMilliseconds: limits.answerMilliseconds,
    ...stop,
  }).catch((error: unknown) => {
    throw isPassing(error) ? new DomainError('at_capacity') : error;
  });
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UpstreamError('unreadable');
  }
}
