import { type JSONPath, visit } from 'jsonc-parser';
import type { Issue } from './errors.ts';
import { parseJson } from './http/body.ts';
import { limits } from './limits.ts';

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
  // jsonc-parser tolerates mistakes and comments, so only text that is JSON may reach it.
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
  const begin = (value: OrderedJson[] | OrderedObject) => {
    add(value);
    open.push(value);
    keys.push('');
  };
  const end = () => {
    open.pop();
    keys.pop();
  };
  const refuse = (pathOf: () => JSONPath, problem: string) => {
    issue ??= { field: showPath(pathOf()), problem };
  };

  visit(text, {
    onObjectBegin: () => begin(new Map()),
    onObjectEnd: end,
    onArrayBegin: () => begin([]),
    onArrayEnd: end,
    onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
      if (key === '__proto__') refuse(pathOf, 'may not have the key __proto__');
      const isUnique = keys.length === 2 && keys[0] === uniqueIn;
      const object = open[open.length - 1];
      if (isUnique && object instanceof Map && object.has(key))
        refuse(() => [...pathOf(), key], 'is there twice');
      keys[keys.length - 1] = key;
    },
    onLiteralValue(value: string | number | boolean | null, _offset, _length, _line, _character, pathOf) {
      if (typeof value === 'number' && !Number.isFinite(value))
        refuse(pathOf, 'has a number outside of the range of a double');
      add(value);
    },
  });
  return { value: root[0] ?? null, plain, issue };
}

function showPath(path: JSONPath): string {
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
