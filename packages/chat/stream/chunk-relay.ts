import { readUsage } from '@errand/models';
import { isFields } from '@errand/platform';
import type { EventRelay, StreamAnswer } from '../dialect.ts';
import { type Chunk, findFinished, isComplaint, isEmpty, parseChunk } from './chunk.ts';
import { nothingRelayed, type Relayed } from './relayed.ts';

interface RelayState {
  answer: StreamAnswer;
  relayed: Relayed;
}

const doneMark = '[DONE]';
/** Longer than the mark itself, because some servers add spaces to it. */
const longestDoneMark = 16;

/** A relay that also takes chunks which were made of other events. */
interface ChunkRelay extends EventRelay {
  /** As `accept`, for a chunk. */
  take(chunk: Chunk): string | undefined;
}

/** Has chunks written as the answer's dialect writes them. Data without choices is not passed on. */
export function createChunkRelay(answer: StreamAnswer): ChunkRelay {
  const relayed = nothingRelayed();
  const state = { answer, relayed };
  return {
    relayed,
    accept: (data) => accept(state, data),
    take: (chunk) => acceptChunk(state, chunk),
  };
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
    return isFields(chunk) ? acceptChunk(state, chunk) : undefined;
  } catch {
    // The data cannot be read, or is nested too deep to be written again.
    return undefined;
  }
}

function acceptChunk({ answer, relayed }: RelayState, chunk: Chunk): string | undefined {
  const hasUsage = (chunk.usage ?? null) !== null;
  const hasChoices = (chunk.choices ?? null) !== null;
  if ((chunk.error ?? null) !== null || (!hasChoices && !hasUsage && isComplaint(chunk))) return undefined;
  const isCurrent = noteUsage(relayed, chunk.usage);
  if (!hasChoices) return '';
  relayed.last = chunk;
  if (isEmpty(chunk.choices) && (hasUsage || answer.keepsEmptyChunks)) {
    // A chunk that cannot be serialised again must fail here, not in the last chunk after the charge.
    JSON.stringify(chunk);
    relayed.withoutChoices = Object.assign(relayed.withoutChoices ?? Object.create(null), chunk);
    return '';
  }
  if (relayed.written.add(chunk) && !isCurrent) relayed.usageIsOld = true;
  const finished = findFinished(chunk.choices);
  if (finished) relayed.finished = finished;
  return answer.write(chunk, relayed);
}

/** Keeps a usage that can be charged. False for any other usage. */
function noteUsage(relayed: Relayed, usage: unknown): boolean {
  if ((usage ?? null) === null || !readUsage(usage)) return false;
  relayed.usage = usage;
  relayed.usageIsOld = false;
  return true;
}
