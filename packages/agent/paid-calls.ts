import {
  type Cost,
  type CostBound,
  openCall,
  type PaidCall,
  type SetAside,
  type Taking,
  type Work,
} from '@errand/money';
import { ToolTimeout } from './tool-clock.ts';

/** What a run may still spend: within its cap, and within what its account has. */
export interface Spending {
  /**
   * Sets aside what a call may cost at most, or the rest of the money if that is less. Undefined if the rest does
   * not pay for the call. What the run has for its first completion since its creation is used for a `completion`.
   */
  reserve(bound: CostBound, kind: 'completion' | 'tool'): Promise<SetAside | undefined>;
  /** Gives back what no call has used. */
  end(): Promise<void>;
}

/** Where in a run a call is made. */
interface CallPlace {
  step: number;
  completions: number;
}

/** Work as a tool's answer has it, before its piece is yielded, which gives it an id and the step. */
export interface CallCost extends Work {
  /** The call that did the work. Its reservation is kept until the cost is yielded. */
  call?: PaidCall;
}

/** What a tool asks a provider for. */
export interface ToolCallBound {
  bound: CostBound;
  /** What the call costs if the run is stopped while a provider has it in work. */
  known(taking: Taking): Promise<Work | undefined>;
}

/** The running calls of a run. */
export interface PaidCalls {
  /** Undefined if what is left does not pay for the call. `known` as in `ToolCallBound`. */
  start(
    bound: CostBound,
    kind: 'completion' | 'tool',
    known: ToolCallBound['known'],
  ): Promise<PaidCall | undefined>;
  /**
   * Makes a call of a tool. `ask` asks the provider, and returns what that costs. Undefined if what is left does not pay for the
   * call. A call that fails costs nothing, unless the signal has stopped the run: then what is known of it is charged.
   */
  make<T>(
    asked: ToolCallBound & { signal: AbortSignal },
    ask: (call: PaidCall) => Promise<T & { cost: Work }>,
  ): Promise<(T & { cost: CallCost }) | undefined>;
  /**
   * The cost with which a piece of work is yielded. To be called right before the piece is yielded: from then on
   * the reservation is no longer renewed.
   */
  toCost(state: CallPlace, id: string, cost: CallCost): Promise<Cost>;
  /** The costs of a tool's work, as `toCost` makes them. Their ids begin with the prefix. */
  toCosts(state: CallPlace, prefix: string, costs: readonly CallCost[]): Promise<Cost[]>;
  /** The costs of the calls that a stopped run leaves in work. */
  brokenOff(state: CallPlace): Promise<Cost[]>;
  /** Gives back what no committed cost has used. Nothing is renewed after it. */
  end(): Promise<void>;
}

/** What is known of the calls, each with its call. */
async function knownOf(calls: ReadonlySet<PaidCall>) {
  const found = await Promise.all(
    [...calls].map(async (call) => {
      const work = await call.known();
      return work ? [{ ...work, call }] : [];
    }),
  );
  return found.flat();
}

/** `make` of `PaidCalls`, for a way to start a call. */
async function makePaid<T>(
  start: PaidCalls['start'],
  { bound, known, signal }: ToolCallBound & { signal: AbortSignal },
  ask: (call: PaidCall) => Promise<T & { cost: Work }>,
): Promise<(T & { cost: CallCost }) | undefined> {
  const call = await start(bound, 'tool', known);
  if (!call) return undefined;
  try {
    const made = await ask(call);
    call.learn(async () => made.cost);
    return { ...made, cost: { ...made.cost, call } };
  } catch (error) {
    if (!signal.aborted || signal.reason instanceof ToolTimeout) await call.release();
    throw error;
  }
}

/** Providers are told of the trace by `traceparent`, if it is given. */
export function paidCalls(spending: Spending, traceparent?: string): PaidCalls {
  /** Calls whose cost may never be committed: those in work, and those of a run that was stopped. `end` gives back what was set aside for them. */
  const unsure = new Set<PaidCall>();
  const start: PaidCalls['start'] = async (bound, kind, known) => {
    const setAside = await spending.reserve(bound, kind);
    if (!setAside) return undefined;
    const call = openCall(setAside, {
      taking: { taken: false, ...(traceparent !== undefined && { traceparent }) },
      async known(taking) {
        const work = await known(taking);
        return work && { ...work, brokenOff: true };
      },
    });
    unsure.add(call);
    return call;
  };
  const toCost: PaidCalls['toCost'] = async ({ step }, id, { call, ...work }) => {
    if (!call || call.isOver) return { id, ...work, step };
    unsure.delete(call);
    return { id, ...(await call.settle(work)), step };
  };
  return {
    start,
    make: (asked, ask) => makePaid(start, asked, ask),
    toCost,
    async toCosts(state, prefix, costs) {
      // Calls of a turn that share a reading bring the same cost. The first to be committed charges it.
      const due = costs.filter(({ call }) => !call?.isOver);
      return Promise.all(due.map((cost, i) => toCost(state, `${prefix}-${i}`, cost)));
    },
    async brokenOff(state) {
      const left = await knownOf(unsure);
      const costs = left.map((cost, i) => toCost(state, `broken-off-${state.completions}-${i}`, cost));
      // `toCost` has removed these calls. They are put back, because their costs may never be committed.
      for (const { call } of left) unsure.add(call);
      return Promise.all(costs);
    },
    async end() {
      await Promise.all([...unsure].map((call) => call.release()));
      await spending.end();
    },
  };
}
