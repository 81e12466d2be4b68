export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'awaiting_input'] as const;

export type RunStatus = (typeof runStatuses)[number];

export const isFinished = (status: RunStatus): boolean => status !== 'queued' && status !== 'running';

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
  claim: { from: ['queued', 'running'], to: 'running' },
  /** The worker that holds the lease commits a piece of work. */
  progress: { from: ['running'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  askForInput: { from: ['running'], to: 'awaiting_input' },
  fail: { from: ['running'], to: 'failed' },
  /** The run is cancelled or given up while no worker holds it. */
  giveUp: { from: ['queued', 'running'], to: 'failed' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The condition of a write that makes this transition, and its values, `:to` among them. The write names `#status`. */
export function statusCondition(name: TransitionName) {
  const { from, to } = transitions[name];
  const values: Record<string, string> = { ':to': to };
  from.forEach((status, i) => {
    values[`:from${i}`] = status;
  });
  return { condition: `#status IN (${from.map((_, i) => `:from${i}`).join(', ')})`, values };
}
