import type { Connection } from '../connection/connection.ts';
import { RunError } from '../errors.ts';
import type { JsonSchema, OutputOf, StandardJsonSchema } from './output-schema.ts';
import { beginRun, type Run, type ShapedOptions, type Value } from './run-handle.ts';
import type { NewRun, StartOptions } from './start-run.ts';

/** A run that has succeeded with a value of its schema. */
export type ValueRun<Output> = Omit<Run, 'output'> & { output: Output };

/** Starts a run and resolves with it when it has succeeded. Anything else is thrown as a `RunError`. */
export interface RunToEnd {
  <const Schema extends StandardJsonSchema>(
    input: NewRun,
    options: StartOptions & { schema: Schema },
  ): Promise<ValueRun<OutputOf<Schema>>>;
  <Output = Value>(input: NewRun, options: StartOptions & { schema: JsonSchema }): Promise<ValueRun<Output>>;
  (input: NewRun, options?: StartOptions): Promise<Run>;
}

export async function runToEnd(
  connection: Connection,
  input: NewRun,
  options: ShapedOptions = {},
): Promise<Run> {
  const handle = await beginRun(connection, input, options);
  const run = await handle.wait(options.signal && { signal: options.signal });
  if (run.status === 'awaiting_input') throw new RunError(run.result ?? 'The run needs more input.', run);
  if (run.status !== 'succeeded') throw new RunError(run.error ?? 'The run failed.', run);
  if (options.schema && run.output === undefined) throw new RunError('The run has no value.', run);
  return run;
}
