import type { Fields } from '../chat-messages.ts';
import { readTokenCount } from '../usage.ts';
import { isFields } from './fields.ts';

/**
 * Adds a report of a stream to `told`, which has the usage so far. Counts are those of the whole message: a 0 behind a number says
 * nothing, and some servers send one for the input in the last report. False if it is no report.
 */
export function addUsage(told: Fields, usage: unknown): boolean {
  if (!isFields(usage)) return false;
  for (const [name, value] of Object.entries(usage))
    if (value !== null && (value !== 0 || !Object.hasOwn(told, name))) told[name] = value;
  return true;
}

/** The `usage` of a message as a chat completion has it. A count that is no number of tokens is left out. */
export function toChatUsage(usage: unknown): Fields | undefined {
  if (!isFields(usage)) return undefined;
  const beside = summaries(usage);
  const sum = (name: string): number | undefined => {
    const own = readTokenCount(usage[name]);
    return own === undefined && beside.length === 0 ? undefined : beside.reduce((all, each) => all + (readTokenCount(each[name]) ?? 0), own ?? 0);
  };
  const output = sum('output_tokens');
  const fresh = sum('input_tokens');
  const cached = sum('cache_read_input_tokens') ?? 0;
  const written = sum('cache_creation_input_tokens') ?? 0;
  const input = fresh === undefined ? undefined : fresh + cached + written;
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

/** The provider's summaries of long conversations are billed, and are no part of the counts beside them. */
const summaries = ({ iterations }: Fields): Fields[] =>
  (Array.isArray(iterations) ? iterations : []).filter(isFields).filter(({ type }) => type === 'compaction');
