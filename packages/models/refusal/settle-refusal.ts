import type { ModelUpstream } from '../catalogue.ts';
import type { Upstreams } from '../circuit.ts';
import type { UpstreamDeps } from '../deps.ts';
import { logRarely } from '../log-rarely.ts';
import { addressOf } from '../upstream-address.ts';
import { failureFields, UpstreamError, type UpstreamErrorDetails } from '../upstream-error.ts';
import { type CleaningOptions, cleanWords, type Hidden, holdsSecretTogether } from './clean-words.ts';
import { knownCode } from './known-codes.ts';
import type { NamedModel } from './model-names.ts';

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
    ...wordsOf(error, { hidden: hiddenOf(deps, model), model: namesOf(model) }),
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

/** What a caller may read of a refusal: of one of our set-up no words. */
function wordsOf({ kind, raw = {}, ...said }: UpstreamError, options: CleaningOptions): UpstreamErrorDetails {
  if (kind !== 'refused' && kind !== 'misconfigured') return {};
  const words = kind === 'refused' && raw.text !== undefined ? cleanWords(raw.text, options) : undefined;
  const whole = (value: string | undefined): string | null =>
    value !== undefined && identifier.test(value) && cleanWords(value, options) === value ? value : null;
  const code = said.code ?? whole(raw.code);
  const param = said.param ?? whole(raw.param);
  const told = [code, param, words].filter((text) => typeof text === 'string');
  if (holdsSecretTogether(told, options.hidden)) return { code: null, param: null };
  return { code, param, ...(words !== undefined && { words }) };
}

const allOf = ({ upstream, fallbacks }: Upstreams): ModelUpstream[] => [upstream, ...fallbacks];

/** The model as callers know it, and as its upstreams do. */
export const namesOf = (model: Upstreams): NamedModel => ({
  id: model.id,
  names: allOf(model).map(({ model: name }) => name),
});

/** By model. What is looked for in a text (`hasTrace`) is made once for each. */
const allHidden = new WeakMap<Upstreams, { given: Hidden | undefined; all: Hidden }>();

function hiddenOf({ hidden }: UpstreamDeps, model: Upstreams): Hidden {
  const known = allHidden.get(model);
  if (known && known.given === hidden) return known.all;
  const upstreams = allOf(model);
  const all = {
    ...hidden,
    secrets: [...(hidden?.secrets ?? []), ...secretsOf(upstreams)],
    hosts: [...(hidden?.hosts ?? []), ...hostsOf(upstreams)],
  };
  allHidden.set(model, { given: hidden, all });
  return all;
}

export const secretsOf = (upstreams: readonly { apiKey?: string }[]): string[] =>
  upstreams.flatMap(({ apiKey }) => apiKey ?? []);

export const hostsOf = (addresses: readonly { baseUrl?: string }[]): string[] =>
  addresses.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : new URL(baseUrl).hostname));
