/** JSON whose objects keep their keys in the order of the text, which plain objects lose for keys like "10". */
export type OrderedJson = string | number | boolean | null | OrderedJson[] | OrderedObject;
export type OrderedObject = Map<string, OrderedJson>;

export class NestingError extends Error {}

const maxNesting = 1_000;
const blanks = /[\s,:]*/y;
const scalar = /[^\s,\]}]+/y;

/** Throws a SyntaxError for text that is not JSON, a NestingError for more than 1,000 levels. */
export function parseOrdered(text: string): OrderedJson {
  // Only valid JSON goes on, so that the scan need not look for mistakes.
  JSON.parse(text);
  return readValue({ text, at: 0 }, 0);
}

export function stringifyOrdered(value: OrderedJson): string {
  if (Array.isArray(value)) return `[${value.map(stringifyOrdered).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${stringifyOrdered(item)}`);
  return `{${entries.join(',')}}`;
}

interface Scan {
  text: string;
  at: number;
}

function readValue(scan: Scan, depth: number): OrderedJson {
  if (depth > maxNesting) throw new NestingError();
  skip(scan, blanks);
  const first = scan.text[scan.at];
  if (first === '{') return readObject(scan, depth);
  if (first === '[') return readArray(scan, depth);
  if (first === '"') return readString(scan);
  return JSON.parse(skip(scan, scalar)) as number | boolean | null;
}

function readObject(scan: Scan, depth: number): OrderedObject {
  const object: OrderedObject = new Map();
  scan.at += 1;
  while (!closes(scan, '}')) {
    const key = readString(scan);
    object.set(key, readValue(scan, depth + 1));
  }
  return object;
}

function readArray(scan: Scan, depth: number): OrderedJson[] {
  const items: OrderedJson[] = [];
  scan.at += 1;
  while (!closes(scan, ']')) items.push(readValue(scan, depth + 1));
  return items;
}

function readString(scan: Scan): string {
  const start = scan.at;
  scan.at += 1;
  while (scan.text[scan.at] !== '"') scan.at += scan.text[scan.at] === '\\' ? 2 : 1;
  scan.at += 1;
  return JSON.parse(scan.text.slice(start, scan.at)) as string;
}

function closes(scan: Scan, bracket: string): boolean {
  skip(scan, blanks);
  if (scan.text[scan.at] !== bracket) return false;
  scan.at += 1;
  return true;
}

function skip(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  const [found = ''] = pattern.exec(scan.text) ?? [];
  scan.at += found.length;
  return found;
}
