import {
  limits,
  type OrderedJson,
  runInThread,
  stringifyOrderedJson,
  ThreadError,
  threadProgram,
} from '@errand/platform';
import type { Found, ProblemsTask } from './find-problems.ts';

/** A schema that `readSchema` has read: JSON, its keys in the caller's order. */
export type SchemaText = string & { readonly isSchema?: true };

/** Why a value does not fit. `pointer` is a JSON Pointer (RFC 6901). */
export interface Problem {
  pointer: string;
  problem: string;
}

export interface Checking {
  signal: AbortSignal;
  /** The account that takes its turn at the threads. */
  owner?: string;
}

const program = threadProgram(import.meta.url, 'problems-worker');
const threadLimits = {
  timeoutMilliseconds: limits.valueCheckMilliseconds,
  memoryMegabytes: limits.valueCheckMegabytes,
};

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
    return [{ pointer: '', problem: reasons[error.code] }];
  }
}

/** Checks in a thread. Throws `ThreadError`, or the signal's reason. */
export function check(schema: SchemaText, value: OrderedJson, { signal, owner }: Checking): Promise<Found> {
  const bytes = new TextEncoder().encode(`[${schema},${stringifyOrderedJson(value)}]`);
  const task: ProblemsTask = { bytes, mostProblems: limits.valueProblems };
  return runInThread(program, task, { ...threadLimits, owner }, signal);
}

const reasons: Record<ThreadError['code'], string> = {
  timeout: `The value could not be checked within ${limits.valueCheckMilliseconds / 1000} seconds.`,
  memory: 'The check of the value needs more memory than it may use.',
  crash: 'The check of the value broke off.',
};
