import type { StopReason } from '@errand/agent';

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'awaiting_input'] as const;

export type RunStatus = (typeof runStatuses)[number];

/** What lists of runs are filtered by. A cancelled run has the status `failed`, and is in the list of failed runs too. */
export const listedStates = [...runStatuses, 'cancelled'] as const;

export type ListedState = (typeof listedStates)[number];

export const unfinishedStatuses = ['queued', 'running'] as const satisfies readonly RunStatus[];

/** The statuses of runs that are over. */
export type EndStatus = Exclude<RunStatus, (typeof unfinishedStatuses)[number]>;

export const isFinished = (status: RunStatus): boolean => !unfinishedStatuses.some((one) => one === status);

/** Why a run answered before its model was ready to: its rounds, or its credits, were used up. */
export const stopReasons = ['rounds', 'credits', 'schema'] as const satisfies readonly StopReason[];

interface Transition {
  from: readonly RunStatus[];
  to: RunStatus;
}

/**
 * Every change of a run's status (drawn in docs/run-lifecycle.md). Each write that changes the status takes its
 * condition from here, so a change that is not in this table cannot be written.
 */
export const transitions = {
  /** A worker takes a run that is new, was handed on, or has lost its worker. */
  claim: { from: unfinishedStatuses, to: 'running' },
  /** The worker that holds the lease commits a piece of work. */
  progress: { from: ['running'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  askForInput: { from: ['running'], to: 'awaiting_input' },
  fail: { from: ['running'], to: 'failed' },
  /** The run is cancelled or given up while no worker holds it. */
  giveUp: { from: unfinishedStatuses, to: 'failed' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The condition of a write that makes this transition, and its values, `:to` among them. The write names `#status`. */
export function statusCondition(name: TransitionName) {
  const { from, to } = transitions[name];
  const { condition, values } = isOneOf(from);
  return { condition, values: { ...values, ':to': to } };
}

/** The condition that the run is not finished, and its values. The request names `#status`. */
export const unfinishedCondition = () => isOneOf(unfinishedStatuses);

/** The condition that no worker has taken the run, and that it has not ended. */
export const untakenCondition = () => isOneOf(['queued']);

const isOneOf = (statuses: readonly RunStatus[]) => ({
  condition: `#status IN (${statuses.map((_, i) => `:from${i}`).join(', ')})`,
  values: Object.fromEntries(statuses.map((status, i) => [`:from${i}`, status])) as Record<string, string>,
});
