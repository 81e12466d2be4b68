import {
  describeError,
  type Log,
  limits,
  type OrderedJson,
  runInThread,
  stringifyOrderedJson,
  ThreadError,
  threadProgram,
} from '@errand/platform';
import type { Found, Problem, ProblemsTask } from './find-problems.ts';

/** A schema that `readSchema` has read: JSON, its keys in the caller's order. */
export type SchemaText = string & { readonly isSchema?: true };

export interface Checking {
  signal: AbortSignal;
  /** The account that takes its turn at the threads. */
  owner?: string;
  log: Log;
}

const program = threadProgram(import.meta.url, 'problems-worker');
/**
 * What of a value does not fit its schema, at most `limits.valueProblems`; empty if it fits. Works in a thread with a time limit, and a value
 * that cannot be checked in time has the problem that says so. Throws the signal's reason.
 */
export async function problemsOf(
  schema: SchemaText,
  value: OrderedJson,
  checking: Checking,
): Promise<Problem[]> {
  try {
    return (await check(schema, value, checking)).problems;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    return [{ pointer: '', problem: reasonOf(error.code) }];
  }
}

/** Checks in a thread. Throws `ThreadError`, or the signal's reason. */
export async function check(
  schema: SchemaText,
  value: OrderedJson,
  { signal, owner, log }: Checking,
): Promise<Found> {
  const bytes = new TextEncoder().encode(`[${schema},${stringifyOrderedJson(value)}]`);
  const task: ProblemsTask = { bytes, mostProblems: limits.valueProblems };
  const { valueCheckMilliseconds: timeoutMilliseconds, valueCheckMegabytes: memoryMegabytes } = limits;
  try {
    return await runInThread(program, task, { timeoutMilliseconds, memoryMegabytes, owner }, signal);
  } catch (error) {
    if (error instanceof ThreadError) log.warn('value not checked', describeError(error));
    throw error;
  }
}

function reasonOf(code: ThreadError['code']): string {
  if (code === 'memory') return 'The check of the value needs more memory than it may use.';
  return code === 'crash'
    ? 'The check of the value broke off.'
    : `The value could not be checked within ${limits.valueCheckMilliseconds / 1000} seconds.`;
}
