import { isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { readTokenCount } from '../usage.ts';

const inputNames = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/**
 * What is read of a stream's usage so far, with another report: each has all counts that its upstream knows by then. A 0 behind a number
 * says nothing: some servers send one for the input in the last report. No more does what is no number of tokens.
 */
export function addMessageUsage(before: Readonly<Fields>, told: unknown): Fields {
  const added = isFields(told) ? told : {};
  const count = (name: string) => readTokenCount(added[name]);
  const steps = stepsIn(added);
  const output = count('output_tokens');
  const read = [
    ...inputNames.map((name) => [name, count(name) || (before[name] ?? count(name))]),
    // An answer that is a summary alone has no other output.
    ['output_tokens', (steps?.length ? output : undefined) ?? outputOf(before.output_tokens, output)],
    ['output_tokens_details', added.output_tokens_details ?? before.output_tokens_details],
    ['iterations', steps ?? before.iterations],
  ];
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The output so far is none of a later report: what was written since would cost nothing. Null if only an earlier one has told it. */
const outputOf = (before: unknown, now: number | undefined): unknown =>
  before === undefined ? now : now || null;

/** Steps of an answer that its upstream bills, and does not count into the usage of the message. */
const stepsBeside: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/** Far more than an answer has. Each report of a stream adds all of them up. */
const mostSteps = 100;

/** The steps of a report that are billed beside its message. Undefined if it has no list of steps. */
function stepsIn({ iterations }: Fields): Fields[] | undefined {
  if (!Array.isArray(iterations)) return undefined;
  return iterations.filter((step) => isFields(step) && stepsBeside.has(step.type)).slice(0, mostSteps);
}

const sumOf = (usages: readonly Fields[], name: string): number =>
  usages.reduce((sum, usage) => sum + (readTokenCount(usage[name]) ?? 0), 0);

/** The `usage` of a message as a chat completion has it. A count that is no number of tokens is left out. */
export function toChatUsage(usage: unknown): Fields | undefined {
  if (!isFields(usage)) return undefined;
  const all = [usage, ...(stepsIn(usage) ?? [])];
  const isCounted = (name: string) => readTokenCount(usage[name]) !== undefined;
  const output = isCounted('output_tokens') ? sumOf(all, 'output_tokens') : undefined;
  const cached = sumOf(all, 'cache_read_input_tokens');
  const written = sumOf(all, 'cache_creation_input_tokens');
  const input = isCounted('input_tokens') ? sumOf(all, 'input_tokens') + cached + written : undefined;
  const thinking = readTokenCount(
    isFields(usage.output_tokens_details) ? usage.output_tokens_details.thinking_tokens : undefined,
  );
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input === undefined || output === undefined ? undefined : input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
