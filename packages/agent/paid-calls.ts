import type { CostBound } from '@errand/accounts';
import type { Taking } from '@errand/models';
import type { SetAside, Spending } from './spending.ts';
import type { AgentState, Cost } from './state.ts';
import { ToolTimeout } from './tool-clock.ts';

/** Where in a run a call is made. */
export type CallPlace = Pick<AgentState, 'step' | 'completions'>;

/** The cost of a call before its piece of work is yielded, which gives it an id and the step. */
export interface CallCost extends Omit<Cost, 'id' | 'step' | 'reservation'> {
  /** What was set aside for it. It is kept until the cost is yielded. */
  call?: PaidCall;
}

/** A call of a provider for which an amount is set aside. */
export interface PaidCall {
  /** What is set aside. */
  nanoEuro: number;
  /** Given to the provider's client. */
  taking: Taking;
  /** The provider has answered. Returns the cost as a tool's answer has it. */
  answered(cost: CallCost): CallCost;
  /** The call failed, and costs nothing. */
  release(): Promise<void>;
  /** The same, unless the signal has stopped the run: then `brokenOff` tells what the call costs. */
  failed(signal: AbortSignal): Promise<void>;
}

/** The calls of a run that are in work. */
export interface PaidCalls {
  /**
   * Undefined if what is left does not pay for the call. `known` is the cost of a call that a provider had in work when the
   * run was stopped.
   */
  start(
    bound: CostBound,
    kind: 'completion' | 'tool',
    known: (taking: Taking) => Promise<CallCost | undefined>,
  ): Promise<PaidCall | undefined>;
  /** The cost with which a piece of work is yielded, then at once: what was set aside for it is kept no longer. */
  toCost(state: CallPlace, id: string, cost: CallCost): Promise<Cost>;
  /** The same of a tool's costs, whose ids begin with the prefix. */
  toCosts(state: CallPlace, prefix: string, costs: readonly CallCost[]): Promise<Cost[]>;
  /** The costs of the calls that a stopped run leaves in work. */
  brokenOff(state: CallPlace): Promise<Cost[]>;
  /** Gives back what no committed cost has used. Nothing is renewed after it. */
  end(): Promise<void>;
}

interface OpenCall extends PaidCall {
  setAside: SetAside;
  /** The cost once it has answered, or what is known before. */
  cost(): Promise<CallCost | undefined>;
}

export function paidCalls(spending: Spending): PaidCalls {
  const open = new Map<PaidCall, OpenCall>();
  /** Set aside for costs that are not committed if another worker goes on with the run. */
  const unsure: SetAside[] = [];
  const toCost = async (state: CallPlace, id: string, { call, ...cost }: CallCost): Promise<Cost> => {
    const setAside = call && open.get(call)?.setAside;
    if (call) open.delete(call);
    return { id, ...cost, step: state.step, ...(await setAside?.spend(cost.amountNanoEuro)) };
  };
  return {
    async start(bound, kind, known) {
      const setAside = await spending.reserve(bound, kind);
      if (!setAside) return undefined;
      const call = openCall(setAside, known, () => open.delete(call));
      open.set(call, call);
      return call;
    },
    toCost,
    async toCosts(state, prefix, costs) {
      // Calls of a turn that share a reading bring the same cost. The first to be committed charges it.
      const due = costs.filter(({ call }) => !call || open.has(call));
      return Promise.all(due.map((cost, i) => toCost(state, `${prefix}-${i}`, cost)));
    },
    async brokenOff(state) {
      const calls = [...open.values()];
      const costs = await Promise.all(
        calls.map(async (call, i) => {
          const cost = await call.cost();
          if (!cost) return [];
          unsure.push(call.setAside);
          return [await toCost(state, `broken-off-${state.completions}-${i}`, { ...cost, call })];
        }),
      );
      return costs.flat();
    },
    async end() {
      const left = [...[...open.values()].map(({ setAside }) => setAside), ...unsure];
      open.clear();
      await Promise.all(left.map((setAside) => setAside.release()));
      await spending.end();
    },
  };
}

function openCall(
  setAside: SetAside,
  known: (taking: Taking) => Promise<CallCost | undefined>,
  close: () => void,
): OpenCall {
  const taking: Taking = { taken: false };
  let answer: CallCost | undefined;
  const call: OpenCall = {
    nanoEuro: setAside.nanoEuro,
    setAside,
    taking,
    answered(cost) {
      answer = { ...cost, call };
      return answer;
    },
    cost: async () => {
      if (answer || !taking.taken) return answer;
      const cost = await known(taking);
      return cost && { ...cost, brokenOff: true };
    },
    async release() {
      close();
      await setAside.release();
    },
    async failed(signal) {
      if (!signal.aborted || signal.reason instanceof ToolTimeout) await call.release();
    },
  };
  return call;
}
