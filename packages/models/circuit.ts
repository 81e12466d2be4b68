import { answerTime, type LogFields, limits } from '@errand/platform';
import type { Model, ModelUpstream } from './catalogue.ts';
import type { UpstreamDeps } from './deps.ts';
import { addressOf } from './upstream-address.ts';

/** The upstreams of a model. */
export type Upstreams = Pick<Model, 'id' | 'upstream' | 'fallbacks' | 'firstByteSeconds'>;

/** What an attempt shows about its upstream: `unknown` if its caller ended it. */
export type Outcome = 'answered' | 'failed' | 'misconfigured' | 'unknown';

/** One upstream's turn to be asked. `end` must be called once, also for a turn that is not started. */
export interface Turn {
  upstream: ModelUpstream;
  /** True if an upstream that is not left out comes after this one. */
  hasNext: boolean;
  /** True if the request probes an upstream that is left out. */
  isProbe: boolean;
  /** True if the request asks an upstream that is left out because all others failed. */
  isLeftOut: boolean;
  /** True if an earlier upstream that is left out has not been asked yet. */
  hasLeftOut: boolean;
  /** From now on a request waits for the upstream. */
  start(): void;
  /** Something has come from the upstream. */
  heard(): void;
  end(outcome: Outcome): void;
}

interface Circuit {
  /** Failures in a row. */
  failures: number;
  /** The end of the open circuit: open until then, half-open afterwards. Unset if the circuit is closed. */
  openUntil: number | undefined;
  /** Since when a request probes the upstream, while the circuit is half-open. */
  probingSince: number | undefined;
  /** The number of requests that wait for the upstream. */
  waiting: number;
  /** For how long requests have waited since something came from the upstream, up to `countedAt`. */
  silentMilliseconds: number;
  countedAt: number;
}

/** The state of the circuits in this process. Processes share none. */
const circuits = new WeakMap<ModelUpstream, Circuit>();

function circuitOf(upstream: ModelUpstream): Circuit {
  const known = circuits.get(upstream);
  if (known) return known;
  const circuit: Circuit = {
    failures: 0,
    openUntil: undefined,
    probingSince: undefined,
    waiting: 0,
    silentMilliseconds: 0,
    countedAt: 0,
  };
  circuits.set(upstream, circuit);
  return circuit;
}

/**
 * The model's upstreams in the order in which they are to be asked. An upstream that failed `upstreamFailuresInARow` times has
 * an open circuit for `upstreamLeftOutMilliseconds`, then a half-open one: one request probes it. So has an upstream from which
 * nothing came in `upstreamSilentMilliseconds` in which requests waited. Upstreams that are left out come last, so that no request
 * is refused before all upstreams were asked.
 */
export function* orderUpstreams(deps: UpstreamDeps, model: Upstreams): Generator<Turn> {
  const { upstream: only, fallbacks } = model;
  if (fallbacks.length === 0) return yield { ...alone, upstream: only };
  const last: Turn[] = [];
  const upstreams = [only, ...fallbacks];
  for (const [index, upstream] of upstreams.entries()) {
    const circuit = circuitOf(upstream);
    const fields = { model: model.id, address: addressOf(upstream) };
    leaveOutIfSilent(deps, circuit, fields);
    const turn = ({ isProbe = false, isLeftOut = false }): Turn => ({
      upstream,
      isProbe,
      isLeftOut,
      hasLeftOut: last.length > 0,
      hasNext: upstreams.slice(index + 1).some((next) => circuitOf(next).openUntil === undefined),
      ...waitingFor(deps, circuit, (outcome) => note(deps, circuit, { outcome, probes: isProbe, fields })),
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

const nothing = () => {};

const alone = {
  hasNext: false,
  isProbe: false,
  isLeftOut: false,
  hasLeftOut: false,
  start: nothing,
  heard: nothing,
  end: nothing,
};

/** Counts a request among those that wait for the upstream, from its start to its end. */
function waitingFor({ clock }: UpstreamDeps, circuit: Circuit, note: (outcome: Outcome) => void) {
  let isWaiting = false;
  const heard = () => {
    circuit.silentMilliseconds = 0;
    circuit.countedAt = clock();
  };
  return {
    start() {
      countSilence(circuit, clock());
      circuit.waiting++;
      isWaiting = true;
    },
    heard,
    end(outcome: Outcome) {
      countSilence(circuit, clock());
      if (isWaiting) circuit.waiting--;
      if (outcome === 'answered') heard();
      note(outcome);
    },
  };
}

/** While an upstream is left out, only its probe shows something of it. */
function countSilence(circuit: Circuit, now: number): void {
  const counts = circuit.openUntil === undefined ? circuit.waiting > 0 : circuit.probingSince !== undefined;
  if (counts) circuit.silentMilliseconds += Math.max(0, now - circuit.countedAt);
  circuit.countedAt = now;
}

/** An answer in one piece shows no sign of life before its end: where it may take longer, silence may too. */
const silentAfter = (deps: UpstreamDeps): number =>
  limits.upstreamSilentMilliseconds + answerTime(deps) - limits.answerMilliseconds;

/** One request at a time shows that an upstream still hangs: it is left out again after a probe of `upstreamProbeMilliseconds`. */
function leaveOutIfSilent(deps: UpstreamDeps, circuit: Circuit, fields: LogFields): void {
  countSilence(circuit, deps.clock());
  if (circuit.silentMilliseconds < silentAfter(deps)) return;
  circuit.silentMilliseconds = silentAfter(deps) - limits.upstreamProbeMilliseconds;
  circuit.probingSince = undefined;
  leaveOut(deps, circuit, fields);
}

function leaveOut({ clock, log }: UpstreamDeps, circuit: Circuit, fields: LogFields): void {
  if (circuit.openUntil === undefined) log.warn('upstream left out', fields);
  circuit.openUntil = clock() + limits.upstreamLeftOutMilliseconds;
}

/** A circuit counts as closed if its end is further off than it can be: it was opened before the clock was set back. */
const isOpen = (until: number, now: number): boolean =>
  now < until && until - now <= limits.upstreamLeftOutMilliseconds;

/** True while a probe is under way. It may take long to answer, so another request probes too after `upstreamProbeMilliseconds`. */
const isProbed = ({ probingSince }: Circuit, now: number): boolean =>
  probingSince !== undefined && now >= probingSince && now - probingSince < limits.upstreamProbeMilliseconds;

interface Attempt {
  outcome: Outcome;
  probes: boolean;
  fields: LogFields;
}

function note(deps: UpstreamDeps, circuit: Circuit, { outcome, probes, fields }: Attempt): void {
  if (probes) circuit.probingSince = undefined;
  const wasOpen = circuit.openUntil !== undefined;
  if (outcome === 'answered') {
    circuit.failures = 0;
    circuit.openUntil = undefined;
    if (wasOpen) deps.log.info('upstream answers again', fields);
  } else if (outcome === 'failed' || (outcome === 'misconfigured' && probes)) {
    circuit.failures++;
    if (circuit.failures < limits.upstreamFailuresInARow || (wasOpen && !probes)) return;
    leaveOut(deps, circuit, fields);
  }
}
