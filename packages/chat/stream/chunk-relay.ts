import { readUsage } from '@errand/models';
import { createWrittenText, type WrittenText } from '../written-text.ts';
import {
  type Choice,
  type Chunk,
  findFinished,
  formatChunk,
  isComplaint,
  isEmpty,
  isObject,
  parseChunk,
} from './chunk.ts';

/** What was seen of a stream so far. */
export interface Relayed {
  /** The upstream's last chunk. Our own last chunk takes its id and date from it. */
  last: Chunk | undefined;
  /** The chunk with a finish_reason that is held back, to carry our usage and impact. */
  held: Chunk | undefined;
  /** Fields of the upstream's chunks without choices that were not passed on. Our own last chunk repeats them. */
  withoutChoices: Chunk | undefined;
  /** The upstream's last usage object with numbers that can be charged. */
  usage: unknown;
  /** Whether the model wrote more after `usage` came. */
  usageIsOld: boolean;
  written: WrittenText;
  /** The choice that was finished last. */
  finished: Choice | undefined;
  /** Whether `[DONE]` came. */
  done: boolean;
}

export interface ChunkRelay {
  relayed: Relayed;
  /** The text to pass on for an event's data, possibly empty. Undefined if the data is an error or unreadable. */
  accept(data: string): string | undefined;
}

interface RelayOptions {
  modelId: string;
  /** Whether a chunk with a finish_reason is held back until the next chunk comes. The stream's last one stays held. */
  holdsFinish: boolean;
}

interface RelayState extends RelayOptions {
  relayed: Relayed;
  /** The event of the chunk that is held back. */
  heldEvent: string;
}

const doneMark = '[DONE]';
/** Longer than the mark itself, because some servers add spaces to it. */
const longestDoneMark = 16;

/** Passes chunks on with the model's name replaced and without usage. Data without choices is not passed on. */
export function createChunkRelay({ modelId, holdsFinish }: RelayOptions): ChunkRelay {
  const relayed: Relayed = {
    last: undefined,
    held: undefined,
    withoutChoices: undefined,
    usage: undefined,
    usageIsOld: false,
    written: createWrittenText(),
    finished: undefined,
    done: false,
  };
  const state = { modelId, holdsFinish, relayed, heldEvent: '' };
  return { relayed, accept: (data) => accept(state, data) };
}

function accept(state: RelayState, data: string): string | undefined {
  const { relayed } = state;
  if (relayed.done) return '';
  if (data.length <= longestDoneMark) {
    const word = data.trim();
    if (word === doneMark) relayed.done = true;
    if (word === doneMark || word === '') return '';
  }
  try {
    const chunk = parseChunk(data);
    return isObject(chunk) ? acceptChunk(state, chunk) : undefined;
  } catch {
    // The data cannot be read, or is nested too deep to be written again.
    return undefined;
  }
}

function acceptChunk(state: RelayState, chunk: Chunk): string | undefined {
  const { relayed } = state;
  const hasUsage = (chunk.usage ?? null) !== null;
  const hasChoices = (chunk.choices ?? null) !== null;
  if ((chunk.error ?? null) !== null || (!hasChoices && !hasUsage && isComplaint(chunk))) return undefined;
  const isCurrent = noteUsage(relayed, chunk.usage);
  if (!hasChoices) return '';
  relayed.last = chunk;
  if (isEmpty(chunk.choices) && (hasUsage || state.holdsFinish)) {
    // What cannot be written again must not fail the last chunk, after its charge.
    JSON.stringify(chunk);
    relayed.withoutChoices = Object.assign(relayed.withoutChoices ?? Object.create(null), chunk);
    return '';
  }
  if (relayed.written.add(chunk) && !isCurrent) relayed.usageIsOld = true;
  return passOn(state, chunk);
}

/** Keeps a usage that can be charged. False for any other. */
function noteUsage(relayed: Relayed, usage: unknown): boolean {
  if ((usage ?? null) === null || !readUsage(usage)) return false;
  relayed.usage = usage;
  relayed.usageIsOld = false;
  return true;
}

function passOn(state: RelayState, chunk: Chunk): string {
  const { relayed, modelId, holdsFinish, heldEvent } = state;
  const event = formatChunk(chunk, modelId);
  const finished = findFinished(chunk.choices);
  if (finished) relayed.finished = finished;
  const holds = finished !== undefined && holdsFinish;
  relayed.held = holds ? chunk : undefined;
  state.heldEvent = holds ? event : '';
  return holds ? heldEvent : heldEvent + event;
}
