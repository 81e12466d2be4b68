import type { ModelUpstream } from '../catalogue.ts';
import type { Upstreams } from '../circuit.ts';
import type { UpstreamDeps } from '../deps.ts';
import { logRarely } from '../log-rarely.ts';
import { addressOf } from '../upstream-address.ts';
import { failureFields, UpstreamError, type UpstreamErrorDetails } from '../upstream-error.ts';
import { type CleaningOptions, cleanWords, type NamedModel } from './clean-words.ts';
import { knownCode } from './known-codes.ts';

const identifier = /^[A-Za-z0-9_.$[\]-]{1,128}$/;

/**
 * Returns an upstream's failure with its place, with a code for the log, and for a refusal with words that its caller may
 * read; any other error unchanged. Logs that an upstream refused a request or our set-up.
 */
export function settleRefusal(
  deps: UpstreamDeps,
  model: Upstreams,
  upstream: ModelUpstream,
  error: unknown,
): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { kind, raw, ...details } = error;
  const code = raw && knownCode(raw);
  const settled = new UpstreamError(kind, {
    ...details,
    ...wordsOf(error, cleaningOf(deps, model)),
    model: model.id,
    address: addressOf(upstream),
    ...(code !== undefined && { knownCode: code }),
  });
  const { failure, ...fields } = failureFields(settled);
  if (kind === 'refused') deps.log.warn('upstream refused the request', fields);
  if (kind === 'misconfigured')
    logRarely(deps, upstream, {
      level: 'error',
      message: 'upstream does not accept our set-up',
      failure: kind,
      fields: { ...fields, ...(upstream.apiKeyEnv && { apiKeyEnv: upstream.apiKeyEnv }) },
    });
  return settled;
}

/** The part of a refusal that a caller may read. A refusal of our set-up (a key, a model) has none. */
function wordsOf({ kind, raw = {}, ...said }: UpstreamError, options: CleaningOptions): UpstreamErrorDetails {
  if (kind !== 'refused' && kind !== 'misconfigured') return {};
  const whole = (value: string | undefined): string | null =>
    value !== undefined && identifier.test(value) && cleanWords(value, options) === value ? value : null;
  return {
    code: said.code ?? whole(raw.code),
    param: said.param ?? whole(raw.param),
    words: kind === 'refused' && raw.text !== undefined ? cleanWords(raw.text, options) : undefined,
  };
}

const allOf = ({ upstream, fallbacks }: Upstreams): ModelUpstream[] => [upstream, ...fallbacks];

/** The model as callers know it, and as its upstreams do. */
export const namesOf = (model: Upstreams): NamedModel => ({
  id: model.id,
  names: allOf(model).map(({ model: name }) => name),
});

function cleaningOf({ hidden }: UpstreamDeps, model: Upstreams): CleaningOptions {
  const upstreams = allOf(model);
  return {
    model: namesOf(model),
    hidden: {
      ...hidden,
      secrets: [...(hidden?.secrets ?? []), ...secretsOf(upstreams)],
      hosts: [...(hidden?.hosts ?? []), ...hostsOf(upstreams)],
    },
  };
}

export const secretsOf = (upstreams: readonly { apiKey?: string }[]): string[] =>
  upstreams.flatMap(({ apiKey }) => apiKey ?? []);

export const hostsOf = (addresses: readonly { baseUrl?: string }[]): string[] =>
  addresses.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : new URL(baseUrl).hostname));
