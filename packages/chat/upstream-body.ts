import { scanArray, scanObject } from './json-scan.ts';

/**
 * Replaces, removes (`undefined`) or adds entries of a JSON object. Every other byte stays: numbers, spaces and fields that
 * we do not know reach the upstream as the caller wrote them.
 */
export function replaceEntries(
  json: Uint8Array,
  changes: Record<string, string | undefined>,
): Buffer<ArrayBuffer> {
  const source = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const kept: Buffer[] = [];
  const scanned = scanObject(source, (keyStart, keyEnd, _valueStart, valueEnd) => {
    const entry = source.subarray(keyStart - 1, valueEnd);
    if (!Object.hasOwn(changes, readKey(source, keyStart, keyEnd))) kept.push(entry);
  });
  if (!scanned) throw new TypeError('not a JSON object');
  for (const [key, value] of Object.entries(changes))
    if (value !== undefined) kept.push(Buffer.from(`${JSON.stringify(key)}:${value}`));
  const parts = kept.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry]));
  return Buffer.concat([opening, ...parts, closing]);
}

/** The JSON of each element of the array under this key of a JSON object. */
export function readElements(json: Buffer, key: string): Buffer[] {
  let array: Buffer | undefined;
  // If a key occurs twice, its last entry counts, as in JSON.parse.
  scanObject(json, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (readKey(json, keyStart, keyEnd) === key) array = json.subarray(valueStart, valueEnd);
  });
  const elements: Buffer[] = [];
  const scanned =
    array && scanArray(array, (start, end) => elements.push((array as Buffer).subarray(start, end)));
  if (!scanned) throw new TypeError(`no list of ${key}`);
  return elements;
}

const opening = Buffer.from('{');
const separator = Buffer.from(',');
const closing = Buffer.from('}');

/** The key as text. Its bytes may have JSON escapes. */
const readKey = (source: Buffer, start: number, end: number): string =>
  JSON.parse(source.toString('utf8', start - 1, end + 1)) as string;
