import { openBrace } from '../json-bytes.ts';
import {
  absent,
  type ChunkEntries,
  createChunkEntries,
  findEntries,
  hasFinishReason,
  hasNoChoices,
  isNull,
} from './chunk-entries.ts';
import { createDelivered, type Delivered } from './delivered.ts';

/** What was seen of a stream so far. */
export interface Relayed {
  /** The last chunk, whose id and date the last one of ours takes over. */
  last: Buffer | undefined;
  /** The upstream's usage object, of the last chunk that had one that says something. */
  usage: Buffer | undefined;
  /** Chunks were passed on after it. */
  usageIsOld: boolean;
  /** The last chunk that was held back, for its usage. */
  held: Buffer | undefined;
  delivered: Delivered;
  /** A finish_reason came. */
  finished: boolean;
  /** `[DONE]` came. */
  done: boolean;
}

export interface ChunkRelay {
  relayed: Relayed;
  /** The event as it goes on; empty if it is held back. Undefined if it is an error or unreadable. */
  accept(data: Buffer): Buffer | undefined;
}

const nothing = Buffer.alloc(0);
const dataField = Buffer.from('data: ');
const eventEnd = Buffer.from('\n\n');
const modelField = Buffer.from('{"model":');
const comma = Buffer.from(',');
/** Bytes that an event may have besides its chunk and the model's name. */
const framing = dataField.length + modelField.length + comma.length + eventEnd.length;
const saysTokens = /"prompt_tokens"\s*:\s*[1-9]/;
const doneMark = '[DONE]';
/** Some servers pad it. */
const longestDoneMark = 16;

/**
 * Passes chunks on with the model's name replaced and the usage held back. All other bytes stay as they are: a chunk
 * is scanned for where its entries stand, not parsed. What has no choices is no chunk, and is held back.
 */
export function createChunkRelay(modelId: string): ChunkRelay {
  const modelName = Buffer.from(JSON.stringify(modelId));
  const relayed: Relayed = {
    last: undefined,
    usage: undefined,
    usageIsOld: false,
    held: undefined,
    delivered: createDelivered(),
    finished: false,
    done: false,
  };
  const found = createChunkEntries();
  return {
    relayed,
    accept(data) {
      if (relayed.done) return nothing;
      if (data.length <= longestDoneMark) {
        const word = data.toString('latin1').trim();
        if (word === doneMark) relayed.done = true;
        if (word === doneMark || word === '') return nothing;
      }
      let chunk = data;
      let readable = findEntries(chunk, found);
      if (readable && found.foreign) {
        chunk = withoutForeign(data);
        readable = findEntries(chunk, found);
      }
      if (!readable || found.error) return undefined;
      const noChunk = found.choicesStart === absent || isNull(chunk, found.choicesStart);
      const hasUsage = found.usageStart !== absent && !isNull(chunk, found.usageStart);
      if (found.complaint && noChunk && !hasUsage) return undefined;
      if (hasUsage) {
        const usage = chunk.subarray(found.usageStart, found.usageEnd);
        if (!relayed.usage || saysTokens.test(usage.toString('latin1'))) relayed.usage = usage;
        relayed.usageIsOld = false;
      }
      if (noChunk) return nothing;
      if (!relayed.finished && hasFinishReason(chunk, found)) relayed.finished = true;
      relayed.last = chunk;
      if (hasUsage && hasNoChoices(chunk, found)) {
        relayed.held = chunk;
        return nothing;
      }
      if (!hasUsage) relayed.usageIsOld = true;
      relayed.delivered.add(chunk);
      return rewrite(chunk, found, modelName);
    },
  };
}

/** Rare enough to be parsed: the chunk with each entry once, by its plain key, and with no `impact`. */
function withoutForeign(data: Buffer): Buffer {
  try {
    const { impact: _, ...chunk } = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    return Buffer.from(JSON.stringify(chunk));
  } catch {
    return nothing;
  }
}

/**
 * The event with the model's name in, first where there was none, and the usage (which may be null) out, in one buffer
 * that is made once.
 */
function rewrite(data: Buffer, found: ChunkEntries, modelName: Buffer): Buffer {
  const { modelStart, modelEnd, cutStart } = found;
  const cutEnd = found.cutEnd === absent ? found.usageEnd : found.cutEnd;
  const out = Buffer.allocUnsafe(data.length + modelName.length + framing);
  let size = dataField.copy(out);
  let at = 0;
  const copyTo = (end: number, next: number) => {
    size += data.copy(out, size, at, end);
    at = next;
  };
  if (modelStart === absent) {
    size += modelField.copy(out, size);
    size += modelName.copy(out, size);
    size += comma.copy(out, size);
    at = data.indexOf(openBrace) + 1;
  }
  if (cutStart !== absent && cutStart < modelStart) copyTo(cutStart, cutEnd);
  if (modelStart !== absent) {
    copyTo(modelStart, modelEnd);
    size += modelName.copy(out, size);
  }
  if (cutStart !== absent && cutStart >= modelStart) copyTo(cutStart, cutEnd);
  copyTo(data.length, data.length);
  size += eventEnd.copy(out, size);
  return out.subarray(0, size);
}
