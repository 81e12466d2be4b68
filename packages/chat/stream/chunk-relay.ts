import { isWord, scanObject, skipSpace } from '../json-scan.ts';
import { createDelivered, type Delivered } from './delivered.ts';

/** What was seen of a stream so far. */
export interface Relayed {
  /** The last chunk, whose id and date the last one of ours takes over. */
  last: Buffer | undefined;
  /** The upstream's usage object, of the last chunk that had one that says something. */
  usage: Buffer | undefined;
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

const absent = -1;
const nothing = Buffer.alloc(0);
const dataField = Buffer.from('data: ');
const eventEnd = Buffer.from('\n\n');
const finishReason = Buffer.from('"finish_reason"');
const promptTokens = Buffer.from('"prompt_tokens"');
const doneMark = '[DONE]';
/** Some servers pad it. */
const longestDoneMark = 16;
const colon = 0x3a;
const quote = 0x22;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Passes chunks on with the model's name replaced and the usage held back. All other bytes stay as they are: a chunk
 * is scanned for where its entries stand, not parsed.
 */
export function createChunkRelay(modelId: string): ChunkRelay {
  const modelName = Buffer.from(JSON.stringify(modelId));
  const relayed: Relayed = {
    last: undefined,
    usage: undefined,
    delivered: createDelivered(),
    finished: false,
    done: false,
  };
  const found = createFinding();
  return {
    relayed,
    accept(data) {
      if (relayed.done) return nothing;
      if (data.length <= longestDoneMark) {
        const word = data.toString('latin1').trim();
        if (word === doneMark) relayed.done = true;
        if (word === doneMark || word === '') return nothing;
      }
      const chunk = find(data, found) && found.foreign ? withoutForeign(data) : data;
      if (!find(chunk, found) || found.error) return undefined;
      if (found.complaint && found.choicesStart === absent && found.usageStart === absent) return undefined;
      relayed.last = chunk;
      if (!relayed.finished && hasFinishReason(chunk, found)) relayed.finished = true;
      const hasUsage = found.usageStart !== absent && chunk[found.usageStart] !== 0x6e;
      if (hasUsage) {
        const usage = chunk.subarray(found.usageStart, found.usageEnd);
        if (!relayed.usage || usage.includes(promptTokens)) relayed.usage = usage;
      }
      if (hasUsage && hasNoChoices(chunk, found)) return nothing;
      relayed.delivered.add(chunk);
      return rewrite(chunk, found, modelName);
    },
  };
}

/** Where the entries stand that matter, in the chunk that was looked at last. Reused: no chunk costs an object. */
interface Finding {
  modelStart: number;
  modelEnd: number;
  usageStart: number;
  usageEnd: number;
  /** The usage entry with the comma before it, or behind it if it is the first. */
  cutStart: number;
  cutEnd: number;
  choicesStart: number;
  choicesEnd: number;
  error: boolean;
  /** Says something that no chunk says: without choices it is an error in another form. */
  complaint: boolean;
  /** An `impact` of the upstream's own, or a second `usage`. */
  foreign: boolean;
}

const createFinding = (): Finding => ({
  modelStart: absent,
  modelEnd: absent,
  usageStart: absent,
  usageEnd: absent,
  cutStart: absent,
  cutEnd: absent,
  choicesStart: absent,
  choicesEnd: absent,
  error: false,
  complaint: false,
  foreign: false,
});

function find(data: Buffer, found: Finding): boolean {
  found.modelStart = found.modelEnd = absent;
  found.usageStart = found.usageEnd = absent;
  found.cutStart = found.cutEnd = absent;
  found.choicesStart = found.choicesEnd = absent;
  found.error = found.complaint = found.foreign = false;
  let previousEnd = absent;
  return scanObject(data, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (found.cutStart !== absent && found.cutEnd === absent) found.cutEnd = keyStart - 1;
    if (isWord(data, keyStart, keyEnd, 'model')) {
      found.modelStart = valueStart;
      found.modelEnd = valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'impact')) found.foreign = true;
    else if (isWord(data, keyStart, keyEnd, 'usage')) {
      if (found.usageStart !== absent) found.foreign = true;
      found.usageStart = valueStart;
      found.usageEnd = valueEnd;
      found.cutStart = previousEnd === absent ? keyStart - 1 : previousEnd;
      found.cutEnd = previousEnd === absent ? absent : valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'choices')) {
      found.choicesStart = valueStart;
      found.choicesEnd = valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'error')) found.error ||= data[valueStart] !== 0x6e;
    else if (isComplaint(data, keyStart, keyEnd, valueStart, valueEnd)) found.complaint = true;
    previousEnd = valueEnd;
  });
}

/** `{"object":"error"}`, `{"type":"error"}`, `{"message":...}`, `{"detail":...}`: what servers say in place of a chunk. */
function isComplaint(
  data: Buffer,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
): boolean {
  if (isWord(data, keyStart, keyEnd, 'message') || isWord(data, keyStart, keyEnd, 'detail')) return true;
  const kind = isWord(data, keyStart, keyEnd, 'object') || isWord(data, keyStart, keyEnd, 'type');
  return kind && isWord(data, valueStart, valueEnd, '"error"');
}

/** Rare enough to be parsed: the chunk with the last `usage` that it has, and with no `impact`. */
function withoutForeign(data: Buffer): Buffer {
  try {
    const { impact: _, ...chunk } = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    return Buffer.from(JSON.stringify(chunk));
  } catch {
    return nothing;
  }
}

/** A key with that name cannot stand inside a string: there its quotes would be escaped. */
function hasFinishReason(data: Buffer, found: Finding): boolean {
  let at = data.indexOf(finishReason, found.choicesStart === absent ? data.length : found.choicesStart);
  while (at !== -1 && at < found.choicesEnd) {
    const value = skipSpace(data, at + finishReason.length);
    if (data[value] === colon && data[skipSpace(data, value + 1)] === quote) return true;
    at = data.indexOf(finishReason, value);
  }
  return false;
}

function hasNoChoices(data: Buffer, found: Finding): boolean {
  if (found.choicesStart === absent) return true;
  return (
    data[found.choicesStart] !== openBracket || data[skipSpace(data, found.choicesStart + 1)] === closeBracket
  );
}

/** The event with the model's name in and the usage (which may be null) out, in one buffer that is made once. */
function rewrite(data: Buffer, found: Finding, modelName: Buffer): Buffer {
  const { modelStart, modelEnd, cutStart } = found;
  const cutEnd = found.cutEnd === absent ? found.usageEnd : found.cutEnd;
  const out = Buffer.allocUnsafe(dataField.length + data.length + modelName.length + eventEnd.length);
  let size = dataField.copy(out);
  let at = 0;
  const copyTo = (end: number, next: number) => {
    size += data.copy(out, size, at, end);
    at = next;
  };
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
