import { type Connection, send, withSignal } from '../connection/connection.ts';
import { readJson } from '../connection/read-json.ts';
import { withRetries } from '../connection/retry.ts';
import type { components, paths } from '../schema.ts';
import { type FollowOptions, followRun, type RunEvent } from './follow-run.ts';
import { runPath } from './run-path.ts';

export type Run = components['schemas']['Run'];

/** What lists of runs are filtered by: a run's status, or `cancelled`. */
export type ListedState = NonNullable<
  NonNullable<paths['/v1/agents/runs']['get']['parameters']['query']>['status']
>;

export interface RunHandle {
  agentId: string;
  /** Every event once and in order, to the terminal one. */
  events(options?: FollowOptions): AsyncGenerator<RunEvent>;
  /** Resolves with the run when it is over. A run that failed is an answer too: look at its `status`. */
  wait(options?: FollowOptions): Promise<Run>;
  /** Asks the run to end. Resolves with the run as it is then, which may still be running for a moment. */
  cancel(): Promise<Run>;
}

const readRun = (connection: Connection, agentId: string, signal?: AbortSignal): Promise<Run> =>
  withRetries(
    connection,
    async () => readJson<Run>(await send(connection, runPath(agentId), withSignal(signal)), signal),
    { signal },
  );

export function openRun(connection: Connection, agentId: string): RunHandle {
  const events = (options?: FollowOptions) => followRun(connection, agentId, options);
  return {
    agentId,
    events,
    async wait(options) {
      for await (const _ of events(options));
      return readRun(connection, agentId, options?.signal);
    },
    cancel: () =>
      withRetries(connection, async () => {
        const response = await send(connection, `${runPath(agentId)}/cancel`, { method: 'POST' });
        return readJson<Run>(response);
      }),
  };
}
