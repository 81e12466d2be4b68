import type { ToolCall } from '@errand/models';
import {
  checkJsonSize,
  checkShape,
  describeError,
  isFields,
  type Log,
  limits,
  ThreadError,
} from '@errand/platform';
import * as v from 'valibot';
import { isBrought, mayHaveActed, type Tool, type ToolAnswer, ToolError, type ToolInput } from './tool.ts';
import { type Spent, startToolClock } from './tool-clock.ts';

/** A call that can be made, or the reason why it cannot, in words for the model. */
export type PreparedCall =
  | { call: ToolCall; tool: Tool; args: unknown }
  | { call: ToolCall; problem: string };

/** Finds the tool and checks the model's arguments. Never throws. */
export function prepareCall(tools: readonly Tool[], call: ToolCall): PreparedCall {
  const { name, arguments: json } = call.function;
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const known = tools.map((candidate) => candidate.name).join(', ');
    return { call, problem: `Error: There is no tool named ${JSON.stringify(name)}. Tools: ${known}.` };
  }
  let input: unknown;
  try {
    checkJsonSize(json);
    input = JSON.parse(json.trim() || '{}', wellFormed);
  } catch {
    return { call, problem: `Error: The arguments of ${name} are not valid JSON.` };
  }
  if ('jsonSchema' in tool.parameters) {
    const problem = foreignProblem(json, input);
    return problem === undefined
      ? { call, tool, args: input }
      : { call, problem: `Error: The arguments of ${name} ${problem}.` };
  }
  const parsed = checkShape(tool.parameters, input);
  if (parsed.success) return { call, tool, args: parsed.output };
  const issues = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'arguments'}: ${issue.message}`);
  return { call, problem: `Error: The arguments of ${name} are wrong. ${issues.join('; ')}` };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The tool's server checks the rest. Long arguments take long to search for secrets. */
function foreignProblem(json: string, input: unknown): string | undefined {
  if (json.length > limits.remoteArgumentsCharacters)
    return `have more than ${limits.remoteArgumentsCharacters} characters`;
  return isFields(input) ? undefined : 'are not a JSON object';
}

/** A model may escape half a surrogate pair in its JSON. No store accepts that half. */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/**
 * Makes one call within the tool's time. A failure becomes an answer that begins with `Error:`. Throws only the reason
 * of the input's `signal`, which is aborted when the run is being stopped.
 */
export async function makeCall(log: Log, prepared: PreparedCall, input: ToolInput): Promise<ToolAnswer> {
  if ('problem' in prepared) return { text: prepared.problem };
  const { tool, args } = prepared;
  const make = (signal: AbortSignal) => tool.run(args, { ...input, signal });
  return answerWithin(log, tool.name, tool.timeoutMilliseconds, input.signal, make, tool.acts);
}

/** Does any work as `makeCall` makes a call. The log and the error that the model reads call the work `name`. */
export async function answerWithin(
  log: Log,
  name: string,
  timeoutMilliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<ToolAnswer>,
  acts = false,
): Promise<ToolAnswer> {
  signal.throwIfAborted();
  // Strangers name these tools, and words of strangers stay out of the log.
  const tool = isBrought(name) ? 'brought' : name;
  const clock = startToolClock(timeoutMilliseconds, signal);
  try {
    return await Promise.race([work(clock.signal), rejectOnAbort(clock.signal)]);
  } catch (error) {
    signal.throwIfAborted();
    const ranOut = clock.ranOut();
    if (ranOut) {
      const { worked, waited } = clock.spent();
      const [workedMilliseconds, waitedMilliseconds] = [Math.round(worked), Math.round(waited)];
      log.warn('tool timed out', { tool, workedMilliseconds, waitedMilliseconds });
      const words = wordsOf[ranOut](name, timeoutMilliseconds);
      return { text: acts ? `Error: ${words} ${mayHaveActed}` : `Error: ${words}` };
    }
    const thread = threadErrorIn(error);
    if (!(error instanceof ToolError) || thread)
      log.warn('tool failed', { tool, ...describeError(thread ?? error) });
    return { text: `Error: ${error instanceof ToolError ? error.message : `${name} failed unexpectedly.`}` };
  } finally {
    clock.stop();
  }
}

const wordsOf: Record<keyof Spent, (name: string, timeoutMilliseconds: number) => string> = {
  worked: (name, timeoutMilliseconds) =>
    `${name} took longer than ${timeoutMilliseconds / 1000} s and was stopped.`,
  waited: (name) =>
    `${name} was stopped after it had waited for ${limits.threadWaitMilliseconds / 1000} s, because the service is busy. Try again later.`,
};

/** The end of a thread that led to the failure. Operators must see it, however the failure is worded for the model. */
function threadErrorIn(error: unknown): ThreadError | undefined {
  if (error instanceof ThreadError) return error;
  return error instanceof Error ? threadErrorIn(error.cause) : undefined;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
