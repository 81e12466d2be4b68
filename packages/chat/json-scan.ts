/** The bytes of JSON's own characters. */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Called with the indices of an entry's key (without quotes) and value. Ends are exclusive. */
type VisitEntry = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/**
 * Visits the entries of the JSON object that fills `bytes`, without parsing their values. False if the bytes are no
 * object. Values are not checked to be JSON: the body was parsed before.
 */
export function scanObject(bytes: Uint8Array, visit: VisitEntry): boolean {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== openBrace) return false;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length;
  for (;;) {
    if (bytes[at] !== quote) return false;
    const keyStart = at + 1;
    const keyEnd = endOfString(bytes, keyStart);
    at = skipSpace(bytes, keyEnd + 1);
    if (bytes[at] !== colon) return false;
    const valueStart = skipSpace(bytes, at + 1);
    const valueEnd = endOfValue(bytes, valueStart);
    if (valueEnd === valueStart) return false;
    visit(keyStart, keyEnd, valueStart, valueEnd);
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length;
    if (bytes[at] !== comma) return false;
    at = skipSpace(bytes, at + 1);
  }
}

/** Visits the elements of a JSON array, as `scanObject` visits entries. */
export function scanArray(bytes: Uint8Array, visit: (start: number, end: number) => void): boolean {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== openBracket) return false;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === closeBracket) return skipSpace(bytes, at + 1) === bytes.length;
  for (;;) {
    const end = endOfValue(bytes, at);
    if (end === at) return false;
    visit(at, end);
    at = skipSpace(bytes, end);
    if (bytes[at] === closeBracket) return skipSpace(bytes, at + 1) === bytes.length;
    if (bytes[at] !== comma) return false;
    at = skipSpace(bytes, at + 1);
  }
}

/** The number of entries in all objects of a JSON text, nested objects included. */
export function countEntries(bytes: Uint8Array): number {
  let entries = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) at = endOfString(bytes, at + 1);
    else if (bytes[at] === colon) entries++;
  }
  return entries;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** The index of the closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return bytes.length;
}

/** The index after the value, or `start` if there is no value. */
function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === quote) return Math.min(bytes.length, endOfString(bytes, start + 1) + 1);
  if (first === openBrace || first === openBracket) return endOfNested(bytes, start);
  let at = start;
  while (at < bytes.length && isScalar(bytes[at] as number)) at++;
  return at;
}

const isScalar = (byte: number): boolean =>
  byte > 0x20 && byte !== comma && byte !== closeBrace && byte !== closeBracket;

function endOfNested(bytes: Uint8Array, start: number): number {
  let level = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at + 1);
    else if (byte === openBrace || byte === openBracket) level++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (--level === 0) return at + 1;
    }
  }
  return start;
}
