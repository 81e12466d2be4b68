import { type Connection, send, withSignal } from '../connection/connection.ts';
import { readJson } from '../connection/read-json.ts';
import { withRetries } from '../connection/retry.ts';
import { RunError } from '../errors.ts';
import type { components, paths } from '../schema.ts';
import { type FollowOptions, followRun, type RunEvent } from './follow-run.ts';
import { type AskedCall, approvalsOf, type FollowUp, followUpOf, type Verdict } from './follow-up.ts';
import {
  type JsonSchema,
  type OutputOf,
  readShape,
  type Shape,
  type StandardJsonSchema,
} from './output-schema.ts';
import { runPath } from './run-path.ts';
import { type NewRun, type StartOptions, startRun } from './start-run.ts';

export type Run = components['schemas']['Run'];

/** The value of a run of whose schema no more is known. */
export type Value = NonNullable<Run['output']>;

/** A run whose value, if it has one, is of this type. */
export type RunWith<Output> = Omit<Run, 'output'> & { output?: Output };

/** What lists of runs are filtered by: a run's status, or `cancelled`. */
export type ListedState = NonNullable<
  NonNullable<paths['/v1/agents/runs']['get']['parameters']['query']>['status']
>;

export interface RunHandle<Output = Value> {
  agentId: string;
  /** Every event once and in order, to the terminal one. */
  events(options?: FollowOptions): AsyncGenerator<RunEvent>;
  /**
   * Resolves with the run when it is over. A run that failed is an answer too: look at its `status`. A value that the library of
   * its schema does not take is thrown as a `RunError`.
   */
  wait(options?: FollowOptions): Promise<RunWith<Output>>;
  /** Asks the run to end. Resolves with the run as it is then, which may still be running for a moment. */
  cancel(): Promise<Run>;
  /**
   * Starts a run that goes on from this one, which has to be over. It has the model, tools and other settings with which this
   * one was started, but for what is given; a run that was opened by its id has none. Without a question a run that failed or
   * was cancelled goes on from where it was. The schema of its value is its own.
   */
  follow: Follow;
  /** The same with what the run has asked for: a text, a file, or the results of functions. Its schema stays. */
  answer(reply: string | Blob | FollowUp, options?: StartOptions): Promise<RunHandle<Output>>;
  /** Goes on with the calls that wait for approval: with all, or with those for which `decide` says true. */
  approve(
    decide?: (call: AskedCall) => Verdict | Promise<Verdict>,
    options?: StartOptions,
  ): Promise<RunHandle<Output>>;
  /** Goes on without the calls that wait for approval. */
  refuse(reason?: string, options?: StartOptions): Promise<RunHandle<Output>>;
}

/** Starts a run with a schema of its value, or without one. */
export interface Start<Input> {
  <const Schema extends StandardJsonSchema>(
    input: Input,
    options: StartOptions & { schema: Schema },
  ): Promise<RunHandle<OutputOf<Schema>>>;
  <Output = Value>(
    input: Input,
    options?: StartOptions & { schema?: JsonSchema },
  ): Promise<RunHandle<Output>>;
}

type Follow = Start<string | FollowUp>;

export type ShapedOptions = StartOptions & { schema?: JsonSchema | StandardJsonSchema };

const readRun = (connection: Connection, agentId: string, signal?: AbortSignal): Promise<Run> =>
  withRetries(
    connection,
    async () => readJson<Run>(await send(connection, runPath(agentId), withSignal(signal)), signal),
    { signal },
  );

/** The run with its value as its caller reads it. */
async function shaped(run: Run, shape: Shape | undefined): Promise<Run> {
  if (shape === undefined || run.output === undefined) return run;
  const read = await shape.read(run.output);
  if ('problem' in read)
    throw new RunError(`The value of the run is not as its schema wants it: ${read.problem}`, run);
  return { ...run, output: read.value as Value };
}

/** Starts a run, and resolves with what its caller does with it. */
export async function beginRun(
  connection: Connection,
  input: NewRun,
  { schema, ...options }: ShapedOptions = {},
): Promise<RunHandle> {
  const shape = schema && readShape(schema);
  const given = shape ? { ...input, outputSchema: shape.json } : input;
  return openRun(connection, await startRun(connection, given, options), given, shape);
}

/** A run that is there. `input` is that with which it was started, where it is known. */
export function openRun(
  connection: Connection,
  agentId: string,
  input: FollowUp = {},
  shape?: Shape,
): RunHandle {
  const follow = (given: string | FollowUp, options?: ShapedOptions) =>
    beginRun(connection, followUpOf(agentId, input, given), options);
  const goOn = async (given: string | FollowUp, options?: StartOptions) => {
    const { outputSchema } = input;
    const next = { ...(outputSchema && { outputSchema }), ...followUpOf(agentId, input, given) };
    return openRun(connection, await startRun(connection, next, options), next, shape);
  };
  const approve: RunHandle['approve'] = async (decide = () => true, options) => {
    const { asked } = await readRun(connection, agentId, options?.signal);
    return goOn({ approvals: await approvalsOf(asked?.calls ?? [], decide) }, options);
  };
  const events = (options?: FollowOptions) => followRun(connection, agentId, options);
  return {
    agentId,
    events,
    async wait(options) {
      for await (const _ of events(options));
      return shaped(await readRun(connection, agentId, options?.signal), shape);
    },
    cancel: () =>
      withRetries(connection, async () => {
        const response = await send(connection, `${runPath(agentId)}/cancel`, { method: 'POST' });
        return readJson<Run>(response);
      }),
    follow: follow as Follow,
    approve,
    answer: (reply, options) =>
      reply instanceof Blob ? goOn({}, { ...options, file: reply }) : goOn(reply, options),
    refuse: (reason = '', options) => approve(() => reason, options),
  };
}
