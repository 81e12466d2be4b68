import { DomainError, type Issue } from '@errand/platform';

/** JSON whose objects keep the order of their keys as sent, which a plain object loses for keys such as "10". */
export type OrderedJson = string | number | boolean | null | OrderedJson[] | OrderedObject;
export type OrderedObject = Map<string, OrderedJson>;

export interface ParsedJson {
  value: OrderedJson;
  /** The first thing that is JSON, but not acceptable anywhere: a key `__proto__`, a number past a double. */
  issue?: Issue;
}

interface Scan {
  text: string;
  at: number;
  /** Where the next backslash is, or past the end: strings without one are cut out as they stand. */
  nextEscape: number;
  path: (string | number)[];
  issue?: Issue;
}

/** Segments of a path that an issue shows: enough for `questions.<id>.<field>.<key>`. */
const shownSegments = 4;

/**
 * Accepts what JSON.parse accepts (`malformed_json` otherwise) and reads it as JSON.parse does: numbers as doubles,
 * the last value of a key that is there twice, at the place of the first. The text's nesting must have been bounded.
 */
export function parseOrderedJson(text: string): ParsedJson {
  try {
    // Only valid JSON goes on, so that the scan need not look for mistakes.
    JSON.parse(text);
  } catch {
    throw new DomainError('malformed_json');
  }
  const scan: Scan = { text, at: 0, nextEscape: -1, path: [] };
  const value = readValue(scan);
  return { value, ...(scan.issue && { issue: scan.issue }) };
}

function readValue(scan: Scan): OrderedJson {
  skipSpace(scan);
  const code = scan.text.charCodeAt(scan.at);
  if (code === 0x22) return readString(scan);
  if (code === 0x7b) return readObject(scan);
  if (code === 0x5b) return readArray(scan);
  if (code === 0x74) return skipWord(scan, 4, true);
  if (code === 0x66) return skipWord(scan, 5, false);
  if (code === 0x6e) return skipWord(scan, 4, null);
  return readNumber(scan);
}

function readObject(scan: Scan): OrderedObject {
  const object: OrderedObject = new Map();
  const depth = scan.path.length;
  scan.at++;
  while (!closes(scan, 0x7d)) {
    const key = readString(scan);
    if (key === '__proto__') note(scan, 'may not have the key __proto__');
    skipSpace(scan);
    scan.at++;
    scan.path.push(key);
    object.set(key, readValue(scan));
    scan.path.length = depth;
  }
  return object;
}

function readArray(scan: Scan): OrderedJson[] {
  const items: OrderedJson[] = [];
  const depth = scan.path.length;
  scan.at++;
  while (!closes(scan, 0x5d)) {
    scan.path.push(items.length);
    items.push(readValue(scan));
    scan.path.length = depth;
  }
  return items;
}

function readString(scan: Scan): string {
  const { text } = scan;
  const start = scan.at + 1;
  if (scan.nextEscape < start) {
    const found = text.indexOf('\\', start);
    scan.nextEscape = found < 0 ? text.length : found;
  }
  let end = text.indexOf('"', start);
  if (end < scan.nextEscape) {
    scan.at = end + 1;
    return text.slice(start, end);
  }
  for (end = scan.nextEscape; text.charCodeAt(end) !== 0x22; end++) {
    if (text.charCodeAt(end) === 0x5c) end++;
  }
  scan.at = end + 1;
  return JSON.parse(text.slice(start - 1, end + 1)) as string;
}

function readNumber(scan: Scan): number {
  const start = scan.at;
  while (isNumberPart(scan.text.charCodeAt(scan.at))) scan.at++;
  const number = Number(scan.text.slice(start, scan.at));
  if (!Number.isFinite(number)) note(scan, 'has a number outside of the range of a double');
  return number;
}

/** Digits, signs, point and exponent. */
const isNumberPart = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2e ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x65 ||
  code === 0x45;

function skipWord<T>(scan: Scan, length: number, value: T): T {
  scan.at += length;
  return value;
}

/** Skips what stands between two entries. */
function closes(scan: Scan, bracket: number): boolean {
  skipSpace(scan);
  if (scan.text.charCodeAt(scan.at) === 0x2c) {
    scan.at++;
    skipSpace(scan);
  }
  if (scan.text.charCodeAt(scan.at) !== bracket) return false;
  scan.at++;
  return true;
}

function skipSpace(scan: Scan): void {
  while (scan.text.charCodeAt(scan.at) <= 0x20) scan.at++;
}

function note(scan: Scan, problem: string): void {
  if (scan.issue) return;
  const cut = scan.path.length > shownSegments;
  const field = scan.path.slice(0, shownSegments).join('.') + (cut ? '...' : '');
  scan.issue = { field: field || 'body', problem };
}

/** Most strings are short and need no escape; asking JSON.stringify for each would take twice the time. */
const plainString = /^[ !#-[\]-~]{0,64}$/;

const quote = (text: string): string => (plainString.test(text) ? `"${text}"` : JSON.stringify(text));

/** Keys in the order of the map; nothing between them. Numbers must be finite. */
export function stringifyOrderedJson(value: OrderedJson): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (const item of value) text += (text === '[' ? '' : ',') + stringifyOrderedJson(item);
    return `${text}]`;
  }
  if (!(value instanceof Map)) return String(value);
  let text = '{';
  for (const [key, item] of value) {
    if (text !== '{') text += ',';
    text += quote(key);
    text += ':';
    text += stringifyOrderedJson(item);
  }
  return `${text}}`;
}
