import type { Issue } from './errors.ts';
import { parseJson } from './http/body.ts';
import { limits } from './limits.ts';
import { visitJson } from './visit-json.ts';

/** JSON whose objects keep the order of their keys as sent. Plain objects move keys such as "10" to the front. */
export type OrderedJson = string | number | boolean | null | OrderedJson[] | OrderedObject;
export type OrderedObject = Map<string, OrderedJson>;

interface ParsedJson {
  value: OrderedJson;
  /** The same as JSON.parse has it. */
  plain: unknown;
  /**
   * The first entry that is valid JSON but refused: a key `__proto__`, a key that is there twice and may not be, or a number that
   * is too large for a double.
   */
  issue?: Issue;
}

/** How many segments of a path an issue shows: enough for `questions.<id>.<field>.<key>`. */
const shownSegments = 4;
/** No key that callers may choose is longer than a question's id in UTF-16. */
const shownKeyCharacters = 2 * limits.decisionQuestionIdCharacters;

/**
 * Accepts the texts that JSON.parse accepts (`malformed_json` otherwise) and reads them alike: numbers become doubles,
 * and a repeated key has its last value at its first place. In the object that is the root's field `uniqueIn` a repeated
 * key is an issue. The parser recurses: bound the nesting before.
 */
export function parseOrderedJson(text: string, uniqueIn?: string): ParsedJson {
  // Only what JSON.parse takes may reach the visitor.
  const plain = parseJson(text);
  const root: OrderedJson[] = [];
  const open: (OrderedJson[] | OrderedObject)[] = [root];
  const keys: string[] = [];
  let issue: Issue | undefined;

  const add = (value: OrderedJson) => {
    const parent = open[open.length - 1];
    if (parent instanceof Map) parent.set(keys[keys.length - 1] ?? '', value);
    else parent?.push(value);
  };
  /** Where the innermost list or object stands. */
  const place = (): (string | number)[] =>
    keys.slice(0, -1).map((key, i) => {
      const holder = open[i + 1];
      return Array.isArray(holder) ? holder.length - 1 : key;
    });
  const refuse = (path: readonly (string | number)[], problem: string) => {
    issue ??= { field: showPath(path), problem };
  };

  visitJson(text, {
    begin(isObject) {
      const value: OrderedJson[] | OrderedObject = isObject ? new Map() : [];
      add(value);
      open.push(value);
      keys.push('');
    },
    end() {
      open.pop();
      keys.pop();
    },
    key(key) {
      if (key === '__proto__') refuse(place(), 'may not have the key __proto__');
      const isUnique = keys.length === 2 && keys[0] === uniqueIn;
      const object = open[open.length - 1];
      if (isUnique && object instanceof Map && object.has(key)) refuse([...place(), key], 'is there twice');
      keys[keys.length - 1] = key;
    },
    value(value) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        const holder = open[open.length - 1];
        const last = holder instanceof Map ? keys.at(-1)! : (holder?.length ?? 0);
        refuse(keys.length === 0 ? [] : [...place(), last], 'has a number outside of the range of a double');
      }
      add(value);
    },
  });
  return { value: root[0] ?? null, plain, issue };
}

function showPath(path: readonly (string | number)[]): string {
  const cut = path.length > shownSegments;
  const shown = path.slice(0, shownSegments).map((key) => cutKey(String(key)));
  return shown.join('.') + (cut ? '...' : '') || 'body';
}

const cutKey = (key: string): string =>
  key.length > shownKeyCharacters ? `${key.slice(0, limits.decisionQuestionIdCharacters)}...` : key;

/** Strings that need no escape. Most are such, and JSON.stringify would take twice the time for them. */
const plainString = /^[ !#-[\]-~]{0,64}$/;

const quote = (text: string): string => (plainString.test(text) ? `"${text}"` : JSON.stringify(text));

/** Writes keys in the order of the map, without white space. Numbers must be finite. */
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
