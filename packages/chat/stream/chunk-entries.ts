import { backslash, closeBracket, colon, letterN, openBracket, quote } from '../json-bytes.ts';
import { isWord, scanObject, skipSpace } from '../json-scan.ts';

/** Where an entry stands that is not there. */
export const absent = -1;
const finishReason = Buffer.from('"finish_reason"');

/** Where the entries stand that matter, in the chunk that was looked at last. Reused: no chunk costs an object. */
export interface ChunkEntries {
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
  /** An `impact` of the upstream's own, an entry that matters twice, or one whose key is written with escapes. */
  foreign: boolean;
}

export const createChunkEntries = (): ChunkEntries => ({
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

/** Looks at a chunk anew. False if it is no JSON object. */
export function findEntries(data: Buffer, found: ChunkEntries): boolean {
  found.modelStart = found.modelEnd = absent;
  found.usageStart = found.usageEnd = absent;
  found.cutStart = found.cutEnd = absent;
  found.choicesStart = found.choicesEnd = absent;
  found.error = found.complaint = found.foreign = false;
  let previousEnd = absent;
  return scanObject(data, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (found.cutStart !== absent && found.cutEnd === absent) found.cutEnd = keyStart - 1;
    if (isWord(data, keyStart, keyEnd, 'model')) {
      found.foreign ||= found.modelStart !== absent;
      found.modelStart = valueStart;
      found.modelEnd = valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'impact')) found.foreign = true;
    else if (isWord(data, keyStart, keyEnd, 'usage')) {
      found.foreign ||= found.usageStart !== absent;
      found.usageStart = valueStart;
      found.usageEnd = valueEnd;
      found.cutStart = previousEnd === absent ? keyStart - 1 : previousEnd;
      found.cutEnd = previousEnd === absent ? absent : valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'choices')) {
      found.foreign ||= found.choicesStart !== absent;
      found.choicesStart = valueStart;
      found.choicesEnd = valueEnd;
    } else if (isWord(data, keyStart, keyEnd, 'error')) found.error ||= !isNull(data, valueStart);
    else {
      if (isComplaint(data, keyStart, keyEnd, valueStart, valueEnd)) found.complaint = true;
      found.foreign ||= isHidden(data, keyStart, keyEnd);
    }
    previousEnd = valueEnd;
  });
}

const watched: unknown[] = ['model', 'usage', 'choices', 'impact', 'error'];

/** A key that matters, or none that can be read, and written so that it was not seen to. */
function isHidden(data: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && data[at] !== backslash) at++;
  if (at === end) return false;
  try {
    return watched.includes(JSON.parse(data.toString('utf8', start - 1, end + 1)));
  } catch {
    return true;
  }
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

/**
 * Of a chunk with choices. A key with that name cannot stand inside a string: there its quotes would be escaped. An
 * empty reason is none, as null is.
 */
export function hasFinishReason(data: Buffer, found: ChunkEntries): boolean {
  let at = data.indexOf(finishReason, found.choicesStart);
  while (at !== -1 && at < found.choicesEnd) {
    const value = skipSpace(data, at + finishReason.length);
    const word = data[value] === colon ? skipSpace(data, value + 1) : data.length;
    if (data[word] === quote && data[word + 1] !== quote) return true;
    at = data.indexOf(finishReason, value);
  }
  return false;
}

/** Of a value that is JSON. */
export const isNull = (data: Buffer, valueStart: number): boolean => data[valueStart] === letterN;

export function hasNoChoices(data: Buffer, found: ChunkEntries): boolean {
  return (
    data[found.choicesStart] !== openBracket || data[skipSpace(data, found.choicesStart + 1)] === closeBracket
  );
}
