import { type LogFields, limits } from '@errand/platform';
import type { Model, ModelUpstream } from './catalogue.ts';
import type { UpstreamDeps } from './deps.ts';
import { addressOf } from './upstream-address.ts';

/** The upstreams of a model. */
export type Upstreams = Pick<Model, 'id' | 'upstream' | 'fallbacks'>;

/** What an attempt said about its upstream: nothing if its caller ended it. */
export type Outcome = 'answered' | 'failed' | 'misconfigured' | 'unknown';

/** One upstream's turn to be asked. `end` must be called once. */
export interface Turn {
  upstream: ModelUpstream;
  /** Whether one that is not left out comes after it. */
  hasNext: boolean;
  /** Whether it asks an upstream that is left out, to know if it answers again. */
  isProbe: boolean;
  /** Whether it asks an upstream that is left out, because the others did not answer. */
  isLeftOut: boolean;
  /** Whether one that was left out before it is still unasked. */
  hasLeftOut: boolean;
  end(outcome: Outcome): void;
}

interface Circuit {
  /** Failures in a row. */
  failures: number;
  /** Set unless the circuit is closed. It is open until this time, and half-open afterwards. */
  openUntil: number | undefined;
  /** Since when a request probes the upstream, while the circuit is half-open. */
  probingSince: number | undefined;
}

/** The state of this process. Other processes find out for themselves. */
const circuits = new WeakMap<ModelUpstream, Circuit>();

function circuitOf(upstream: ModelUpstream): Circuit {
  const known = circuits.get(upstream);
  if (known) return known;
  const circuit: Circuit = { failures: 0, openUntil: undefined, probingSince: undefined };
  circuits.set(upstream, circuit);
  return circuit;
}

/**
 * The model's upstreams in the order in which they are to be asked. One that failed three times in a row has an
 * open circuit for 30 s, and then a half-open one: one request asks it until it answers, or another if that takes 10 s.
 * What is not asked in its turn comes last, so that no request is refused while an upstream was not asked.
 */
export function* orderUpstreams(deps: UpstreamDeps, model: Upstreams): Generator<Turn> {
  const { upstream: only, fallbacks } = model;
  if (fallbacks.length === 0) return yield { ...alone, upstream: only };
  const last: Turn[] = [];
  const upstreams = [only, ...fallbacks];
  for (const [index, upstream] of upstreams.entries()) {
    const circuit = circuitOf(upstream);
    const fields = { model: model.id, address: addressOf(upstream) };
    const turn = ({ isProbe = false, isLeftOut = false }): Turn => ({
      upstream,
      isProbe,
      isLeftOut,
      hasLeftOut: last.length > 0,
      hasNext: upstreams.slice(index + 1).some((next) => circuitOf(next).openUntil === undefined),
      end: (outcome) => note(deps, circuit, { outcome, probes: isProbe, fields }),
    });
    if (circuit.openUntil === undefined) yield turn({});
    else if (isProbed(circuit, deps.clock()) || isOpen(circuit.openUntil, deps.clock()))
      last.push(turn({ isLeftOut: true }));
    else {
      circuit.probingSince = deps.clock();
      yield turn({ isProbe: true });
    }
  }
  for (const [index, turn] of last.entries()) yield { ...turn, hasLeftOut: index < last.length - 1 };
}

const alone = { hasNext: false, isProbe: false, isLeftOut: false, hasLeftOut: false, end() {} };

/** A time that is further off than any can be was noted before the clock was set back. */
const isOpen = (until: number, now: number): boolean =>
  now < until && until - now <= limits.upstreamLeftOutMilliseconds;

/** A probe may be a long answer. The next request does not wait for it. */
const isProbed = ({ probingSince }: Circuit, now: number): boolean =>
  probingSince !== undefined && now >= probingSince && now - probingSince < limits.upstreamProbeMilliseconds;

interface Attempt {
  outcome: Outcome;
  probes: boolean;
  fields: LogFields;
}

function note({ clock, log }: UpstreamDeps, circuit: Circuit, { outcome, probes, fields }: Attempt): void {
  if (probes) circuit.probingSince = undefined;
  const wasOpen = circuit.openUntil !== undefined;
  if (outcome === 'answered') {
    circuit.failures = 0;
    circuit.openUntil = undefined;
    if (wasOpen) log.info('upstream answers again', fields);
  } else if (outcome === 'failed' || (outcome === 'misconfigured' && probes)) {
    circuit.failures++;
    if (circuit.failures < limits.upstreamFailuresInARow || (wasOpen && !probes)) return;
    circuit.openUntil = clock() + limits.upstreamLeftOutMilliseconds;
    if (!wasOpen) log.warn('upstream left out', fields);
  }
}
