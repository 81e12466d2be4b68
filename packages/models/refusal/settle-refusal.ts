import { limits } from '@errand/platform';
import type { ModelUpstream } from '../catalogue.ts';
import type { Upstreams } from '../circuit.ts';
import type { UpstreamDeps } from '../deps.ts';
import { UpstreamError } from '../upstream-error.ts';
import { type CleaningOptions, cleanWords, type Hidden, holdsSecretTogether } from './clean-words.ts';
import type { NamedModel } from './model-names.ts';

const identifier = /^[A-Za-z0-9_.$[\]-]{1,128}$/;
const longestLoggedCode = 64;

/**
 * Logs that an upstream refused a request or our set-up. Returns the error with words that its caller may read, and any
 * other error unchanged.
 */
export function settleRefusal(
  deps: UpstreamDeps,
  model: Upstreams,
  upstream: ModelUpstream,
  error: unknown,
): unknown {
  if (!(error instanceof UpstreamError)) return error;
  if (error.kind !== 'refused' && error.kind !== 'misconfigured') return error;
  const settled = withCleanWords(error, { hidden: hiddenOf(deps, model), model: namesOf(model) });
  const { kind, status, code } = settled;
  const fields = {
    model: model.id,
    address: addressOf(upstream),
    status,
    ...(code && code.length <= longestLoggedCode && { code }),
  };
  if (kind === 'refused') deps.log.warn('upstream refused the request', fields);
  else logRarely(deps, upstream, { ...fields, ...(upstream.apiKeyEnv && { apiKeyEnv: upstream.apiKeyEnv }) });
  return settled;
}

/** Host and path, never a user or a password. */
export function addressOf({ baseUrl }: Pick<ModelUpstream, 'baseUrl'>): string {
  const { host, pathname } = new URL(baseUrl);
  return host + (pathname === '/' ? '' : pathname);
}

function withCleanWords(
  { kind, raw = {}, ...details }: UpstreamError,
  options: CleaningOptions,
): UpstreamError {
  const words = kind === 'refused' && raw.text !== undefined ? cleanWords(raw.text, options) : undefined;
  const whole = (value: string | undefined): string | null =>
    value !== undefined && identifier.test(value) && cleanWords(value, options) === value ? value : null;
  const code = details.code ?? whole(raw.code);
  const param = details.param ?? whole(raw.param);
  const told = [code, param, words].filter((text) => typeof text === 'string');
  if (holdsSecretTogether(told, options.hidden))
    return new UpstreamError(kind, { ...details, code: null, param: null });
  return new UpstreamError(kind, { ...details, code, param, ...(words !== undefined && { words }) });
}

const allOf = ({ upstream, fallbacks }: Upstreams): ModelUpstream[] => [upstream, ...fallbacks];

/** The model as callers know it, and as its upstreams do. */
export const namesOf = (model: Upstreams): NamedModel => ({
  id: model.id,
  names: allOf(model).map(({ model: name }) => name),
});

function hiddenOf({ hidden }: UpstreamDeps, model: Upstreams): Hidden {
  const upstreams = allOf(model);
  return {
    ...hidden,
    secrets: [...(hidden?.secrets ?? []), ...secretsOf(upstreams)],
    hosts: [...(hidden?.hosts ?? []), ...hostsOf(upstreams)],
  };
}

export const secretsOf = (upstreams: readonly { apiKey?: string }[]): string[] =>
  upstreams.flatMap(({ apiKey }) => apiKey ?? []);

export const hostsOf = (addresses: readonly { baseUrl?: string }[]): string[] =>
  addresses.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : new URL(baseUrl).hostname));

interface Logged {
  at: number;
  /** Since the last line. */
  leftOut: number;
}

const logged = new WeakMap<ModelUpstream, Logged>();

/** A key that does not work fails every request: one line a minute for each upstream, which counts the others. */
function logRarely(
  { clock, log }: UpstreamDeps,
  upstream: ModelUpstream,
  fields: Parameters<UpstreamDeps['log']['error']>[1],
): void {
  const { at, leftOut } = logged.get(upstream) ?? { at: Number.NEGATIVE_INFINITY, leftOut: 0 };
  const now = clock();
  // A clock that was set back must not silence the log.
  const isSoon = now >= at && now - at < limits.setUpErrorMilliseconds;
  logged.set(upstream, isSoon ? { at, leftOut: leftOut + 1 } : { at: now, leftOut: 0 });
  if (isSoon) return;
  log.error('upstream does not accept our set-up', { ...fields, ...(leftOut > 0 && { leftOut }) });
}
