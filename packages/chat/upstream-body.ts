import { countEntries, scanArray, scanObject } from './json-scan.ts';

/**
 * Replaces, removes (`undefined`) or adds entries of a JSON object. Every other byte of an entry stays: numbers, spaces and
 * fields that we do not know reach the upstream as the caller wrote them. Of a key that occurs twice only the last entry is
 * kept: it is the one that JSON.parse reads, so no upstream can read another.
 */
export function replaceEntries(
  json: Uint8Array,
  changes: Record<string, string | undefined>,
): Buffer<ArrayBuffer> {
  const source = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const entries = new Map<string, Buffer>();
  const scanned = scanObject(source, (keyStart, keyEnd, _valueStart, valueEnd) => {
    const key = readKey(source, keyStart, keyEnd);
    if (!Object.hasOwn(changes, key)) entries.set(key, source.subarray(keyStart - 1, valueEnd));
  });
  if (!scanned) throw new TypeError('not a JSON object');
  const kept = [...entries.values()];
  for (const [key, value] of Object.entries(changes))
    if (value !== undefined) kept.push(Buffer.from(`${JSON.stringify(key)}:${value}`));
  const parts = kept.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry]));
  return Buffer.concat([opening, ...parts, closing]);
}

/** The keys of a JSON object in their order, each as often as it occurs. None if it is no object. */
export function readKeys(json: Buffer): string[] {
  const keys: string[] = [];
  scanObject(json, (keyStart, keyEnd) => keys.push(readKey(json, keyStart, keyEnd)));
  return keys;
}

/** The JSON of the value under this key of a JSON object, as a part of the same memory. */
export function readValue(json: Buffer, key: string): Buffer | undefined {
  let value: Buffer | undefined;
  // If a key occurs twice, its last entry counts, as in JSON.parse.
  scanObject(json, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (readKey(json, keyStart, keyEnd) === key) value = json.subarray(valueStart, valueEnd);
  });
  return value;
}

/** The JSON of each element of the array under this key of a JSON object, as parts of the same memory. */
export function readElements(json: Buffer, key: string): Buffer[] {
  const array = readValue(json, key);
  const elements: Buffer[] = [];
  const scanned = array && scanArray(array, (start, end) => elements.push(array.subarray(start, end)));
  if (!scanned) throw new TypeError(`no list of ${key}`);
  return elements;
}

/** Whether an object in this JSON has a key twice, at any depth. `parsed` is what JSON.parse makes of it. */
export const repeatsField = (json: Buffer, parsed: unknown): boolean =>
  countEntries(json) > countParsed(parsed);

function countParsed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce((sum: number, each) => sum + countParsed(each), inner === value ? 0 : inner.length);
}

const opening = Buffer.from('{');
const separator = Buffer.from(',');
const closing = Buffer.from('}');

/** The key as text. Its bytes may have JSON escapes, which few keys have. */
function readKey(source: Buffer, start: number, end: number): string {
  const text = source.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
