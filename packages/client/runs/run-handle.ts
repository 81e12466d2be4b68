import { type Connection, send, withSignal } from '../connection/connection.ts';
import { readJson } from '../connection/read-json.ts';
import { withRetries } from '../connection/retry.ts';
import type { components, paths } from '../schema.ts';
import { type FollowOptions, followRun, type RunEvent } from './follow-run.ts';
import { type AskedCall, approvalsOf, type FollowUp, followUpOf, type Verdict } from './follow-up.ts';
import { runPath } from './run-path.ts';
import { type StartOptions, startRun } from './start-run.ts';

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
  /**
   * Starts a run that goes on from this one, which has to be over. It has the model, tools and other settings with which this
   * one was started, but for what is given; a run that was opened by its id has none. Without a question a run that failed or
   * was cancelled goes on from where it was.
   */
  follow(input: string | FollowUp, options?: StartOptions): Promise<RunHandle>;
  /** The same with what the run has asked for: a text, a file, or the results of functions. */
  answer(reply: string | Blob | FollowUp, options?: StartOptions): Promise<RunHandle>;
  /** Goes on with the calls that wait for approval: with all, or with those for which `decide` says true. */
  approve(
    decide?: (call: AskedCall) => Verdict | Promise<Verdict>,
    options?: StartOptions,
  ): Promise<RunHandle>;
  /** Goes on without the calls that wait for approval. */
  refuse(reason?: string, options?: StartOptions): Promise<RunHandle>;
}

const readRun = (connection: Connection, agentId: string, signal?: AbortSignal): Promise<Run> =>
  withRetries(
    connection,
    async () => readJson<Run>(await send(connection, runPath(agentId), withSignal(signal)), signal),
    { signal },
  );

/** A run that is there. `input` is that with which it was started, where it is known. */
export function openRun(connection: Connection, agentId: string, input: FollowUp = {}): RunHandle {
  const follow: RunHandle['follow'] = async (given, options) => {
    const next = followUpOf(agentId, input, given);
    return openRun(connection, await startRun(connection, next, options), next);
  };
  const approve: RunHandle['approve'] = async (decide = () => true, options) => {
    const { asked } = await readRun(connection, agentId, options?.signal);
    return follow({ approvals: await approvalsOf(asked?.calls ?? [], decide) }, options);
  };
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
    ...{ follow, approve },
    answer: (reply, options) =>
      reply instanceof Blob ? follow({}, { ...options, file: reply }) : follow(reply, options),
    refuse: (reason = '', options) => approve(() => reason, options),
  };
}
