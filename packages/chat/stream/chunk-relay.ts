import { readUsage } from '@errand/models';
import { formatEvent } from '@errand/platform';
import { createWrittenText, type WrittenText } from '../written-text.ts';

/** An upstream's chunk: what we look at, and whatever else it has. */
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

/** What was seen of a stream so far. */
export interface Relayed {
  /** The last chunk, whose id and date the last one of ours takes over. */
  last: Chunk | undefined;
  /** The chunk with a finish_reason that is held back, to carry our usage and impact. */
  held: Chunk | undefined;
  /** The upstream's chunk of usage alone, which is not passed on: ours says what it said. */
  usageChunk: Chunk | undefined;
  /** The upstream's last usage object that says what could be charged. */
  usage: unknown;
  /** Chunks were passed on after it. */
  usageIsOld: boolean;
  written: WrittenText;
  /** The choice that was finished last. */
  finished: Choice | undefined;
  /** `[DONE]` came. */
  done: boolean;
}

export interface ChunkRelay {
  relayed: Relayed;
  /** Text to pass on for an event's data, empty if nothing is. Undefined if the data is an error or unreadable. */
  accept(data: string): string | undefined;
}

const doneMark = '[DONE]';
/** Some servers pad it. */
const longestDoneMark = 16;

/**
 * Passes chunks on with the model's name replaced and without usage. What has no choices is no chunk, and is not passed
 * on. With `holdsFinish` a chunk with a finish_reason waits for the next one: the last of them stays held back.
 */
export function createChunkRelay({
  modelId,
  holdsFinish,
}: {
  modelId: string;
  holdsFinish: boolean;
}): ChunkRelay {
  const relayed: Relayed = {
    last: undefined,
    held: undefined,
    usageChunk: undefined,
    usage: undefined,
    usageIsOld: false,
    written: createWrittenText(),
    finished: undefined,
    done: false,
  };

  const noteUsage = (usage: unknown): boolean => {
    if ((usage ?? null) === null || !readUsage(usage)) return false;
    relayed.usage = usage;
    relayed.usageIsOld = false;
    return true;
  };
  const passOn = (chunk: Chunk): string => {
    const { held } = relayed;
    const finished = findFinished(chunk.choices);
    if (finished) relayed.finished = finished;
    relayed.written.add(chunk);
    relayed.held = finished && holdsFinish ? chunk : undefined;
    return (held ? format(held, modelId) : '') + (relayed.held ? '' : format(chunk, modelId));
  };
  const acceptChunk = (chunk: Chunk): string | undefined => {
    const hasUsage = (chunk.usage ?? null) !== null;
    const isChunk = (chunk.choices ?? null) !== null;
    if ((chunk.error ?? null) !== null || (!isChunk && !hasUsage && isComplaint(chunk))) return undefined;
    const tells = noteUsage(chunk.usage);
    if (!isChunk) return '';
    relayed.last = chunk;
    if (hasUsage && isEmpty(chunk.choices)) {
      relayed.usageChunk = chunk;
      return '';
    }
    if (!tells) relayed.usageIsOld = true;
    return passOn(chunk);
  };

  return {
    relayed,
    accept(data) {
      if (relayed.done) return '';
      if (data.length <= longestDoneMark) {
        const word = data.trim();
        if (word === doneMark) relayed.done = true;
        if (word === doneMark || word === '') return '';
      }
      try {
        const chunk: unknown = JSON.parse(data);
        return isObject(chunk) ? acceptChunk(chunk) : undefined;
      } catch {
        // No JSON, or nested too deep to be written again.
        return undefined;
      }
    },
  };
}

const isObject = (value: unknown): value is Chunk =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (choices: unknown): boolean => !Array.isArray(choices) || choices.length === 0;

/** `{"object":"error"}`, `{"type":"error"}`, `{"message":...}`, `{"detail":...}`: what servers say in place of a chunk. */
const isComplaint = (chunk: Chunk): boolean =>
  chunk.object === 'error' || chunk.type === 'error' || 'message' in chunk || 'detail' in chunk;

/** The chunk's last choice with a finish_reason. An empty reason is none, as null is. */
function findFinished(choices: unknown): Choice | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.findLast(
    (choice: Choice | null) => typeof choice?.finish_reason === 'string' && choice.finish_reason !== '',
  );
}

/** The event to pass on. Fields that are set to undefined are not written; to delete them would cost more. */
function format(chunk: Chunk, modelId: string): string {
  if (chunk.usage !== undefined) chunk.usage = undefined;
  if (chunk.impact !== undefined) chunk.impact = undefined;
  if (chunk.model === undefined) return formatEvent({ data: JSON.stringify({ model: modelId, ...chunk }) });
  chunk.model = modelId;
  return formatEvent({ data: JSON.stringify(chunk) });
}
