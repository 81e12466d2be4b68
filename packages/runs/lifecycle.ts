export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'awaiting_input'] as const;

export type RunStatus = (typeof runStatuses)[number];

export const isFinished = (status: RunStatus): boolean => status !== 'queued' && status !== 'running';

interface Transition {
  from: readonly RunStatus[];
  to: RunStatus;
}

/**
 * Every change of a run's status (drawn in docs/run-lifecycle.md). A write that changes it takes its condition from
 * here, so a change that the table does not have cannot be written.
 */
export const transitions = {
  /** A worker takes the run: a new one, one that was handed on, or one whose worker fell silent. */
  claim: { from: ['queued', 'running'], to: 'running' },
  /** The worker that holds the lease commits a piece of work. */
  progress: { from: ['running'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  askForInput: { from: ['running'], to: 'awaiting_input' },
  fail: { from: ['running'], to: 'failed' },
  /** Cancelled, or given up on, with no worker at it. */
  giveUp: { from: ['queued', 'running'], to: 'failed' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The status part of a write's condition, and the values that it and the write need. `#status` names the attribute. */
export function statusCondition(name: TransitionName) {
  const { from, to } = transitions[name];
  const values: Record<string, string> = { ':to': to };
  from.forEach((status, i) => {
    values[`:from${i}`] = status;
  });
  return { condition: `#status IN (${from.map((_, i) => `:from${i}`).join(', ')})`, values };
}
