import { formatEvent } from '@errand/platform';

/** A chunk of an upstream: the fields that the relay reads, and any others. */
export interface Chunk {
  id?: unknown;
  created?: unknown;
  model?: unknown;
  choices?: unknown;
  usage?: unknown;
  [field: string]: unknown;
}

export interface Choice {
  index?: unknown;
  finish_reason?: unknown;
}

/** A string without an end reaches to the end of the data. Otherwise each quote in it would be tried as a beginning. */
const stringOrNonFinite = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/gs;

/** JSON, and the NaN and Infinity of servers in Python, which become null. Throws a SyntaxError for anything else. */
export function parseChunk(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return JSON.parse(data.replace(stringOrNonFinite, (found) => (found.startsWith('"') ? found : 'null')));
  }
}

export const isEmpty = (choices: unknown): boolean => !Array.isArray(choices) || choices.length === 0;

/** Whether a server sent an error in place of a chunk: `{"object":"error"}`, `{"type":"error"}`, `{"message":...}` or `{"detail":...}`. */
export const isComplaint = (chunk: Chunk): boolean =>
  chunk.object === 'error' || chunk.type === 'error' || 'message' in chunk || 'detail' in chunk;

/** The chunk's last choice with a finish_reason. An empty reason counts as none, like null. */
export function findFinished(choices: unknown): Choice | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.findLast(
    (choice: Choice | null) => typeof choice?.finish_reason === 'string' && choice.finish_reason !== '',
  );
}

/**
 * The event for the caller: the model's name replaced, usage and impact left out. Changes the chunk, since JSON leaves
 * out fields that are undefined and deleting them would cost more.
 */
export function formatChunk(chunk: Chunk, modelId: string): string {
  if (chunk.usage !== undefined) chunk.usage = undefined;
  if (chunk.impact !== undefined) chunk.impact = undefined;
  if (chunk.model === undefined) return formatEvent({ data: JSON.stringify({ model: modelId, ...chunk }) });
  chunk.model = modelId;
  return formatEvent({ data: JSON.stringify(chunk) });
}
