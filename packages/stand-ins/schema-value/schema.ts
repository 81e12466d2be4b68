import { createContext, runInContext } from 'node:vm';

export type Keywords = Record<string, unknown>;
export type Schema = boolean | Keywords;

/** Says what of a schema keeps the stand-in from making a value for it. */
export class UnmadeValue extends Error {}

/** One search for a value. It ends after so many steps, however large or twisted the schema is. */
export interface Search {
  root: Schema;
  steps: number;
  patternMilliseconds: number;
  /** Why the last attempt failed. */
  reason: string;
  /**
   * How many objects and arrays were given up because they lie too deep. A failure during which it has not grown is one at any
   * depth; one during which it has may end with more levels.
   */
  cuts: number;
  /** With how many levels nothing was found for a schema: an infinite number if more levels are of no use. */
  failures: Map<Keywords, { levels: number; reason: string }>;
}

const maxSteps = 100_000;
const maxPatternMilliseconds = 1_000;
const notUnderstood = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'];

export const startSearch = (root: Schema): Search => ({
  root,
  steps: 0,
  patternMilliseconds: maxPatternMilliseconds,
  reason: 'no value fits it',
  cuts: 0,
  failures: new Map(),
});

export function spend(search: Search, steps = 1): void {
  search.steps += steps;
  if (search.steps > maxSteps) throw new UnmadeValue('it is too large, or has too many combinations');
}

export const isObject = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function asSchema(value: unknown): Schema {
  if (typeof value === 'boolean') return value;
  if (!isObject(value))
    throw new UnmadeValue('something other than an object or a boolean is used as a schema');
  const unknown = notUnderstood.find((keyword) => keyword in value && value[keyword] !== true);
  if (unknown !== undefined) throw new UnmadeValue(`the stand-in does not understand "${unknown}"`);
  return value;
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The entry of an object of schemas, such as `properties`. */
export const entryOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A limit that is a number; any other form counts as none. */
export const limitOf = (schema: Keywords, keyword: string, none: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : none;

/** The schema of the item at an index, in the words of any draft. */
export function itemSchema({ prefixItems, items, additionalItems }: Keywords, index: number): unknown {
  const isTuple = Array.isArray(items);
  const first = isTuple ? items : listOf(prefixItems);
  if (index < first.length) return first[index];
  return (isTuple ? additionalItems : items) ?? true;
}

export function typesOf(keywords: Keywords): unknown[] | undefined {
  const types = keywords.type === undefined ? undefined : [keywords.type].flat();
  return types && keywords.nullable === true ? [...types, 'null'] : types;
}

/** Follows `#`, `#/$defs/name` and other pointers into the root, and the root's own `$id`. */
export function resolveReference({ root }: Search, reference: unknown): Schema {
  if (isObject(root) && typeof reference === 'string' && reference === root.$id) return root;
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw new UnmadeValue('the stand-in cannot follow the $ref to another document');
  }
  let target: unknown = root;
  for (const step of decodeURIComponent(reference).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    target = Array.isArray(target) ? target[Number(key)] : entryOf(target, key);
  }
  if (target === undefined) throw new UnmadeValue(`the $ref ${JSON.stringify(reference)} leads nowhere`);
  return asSchema(target);
}

const patternContext = createContext({});

/** Runs in a context of its own, because only there a pattern that takes forever can be stopped. */
export function matchesPattern(search: Search, pattern: unknown, text: string): boolean {
  spend(search, 10);
  const started = performance.now();
  try {
    const timeout = Math.max(1, Math.ceil(search.patternMilliseconds));
    const code = `new RegExp(${JSON.stringify(pattern)}, 'u').test(${JSON.stringify(text)})`;
    return runInContext(code, patternContext, { timeout }) === true;
  } catch (error) {
    const isLate = (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const problem = isLate ? 'takes too long' : 'is no regular expression';
    throw new UnmadeValue(`the pattern ${JSON.stringify(pattern)?.slice(0, 200)} ${problem}`);
  } finally {
    search.patternMilliseconds -= performance.now() - started;
  }
}

/** The schemas that say something of a member with this name. */
export function memberSchemas(search: Search, schema: Keywords, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = entryOf(properties, name);
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const found = patterns.filter(([pattern]) => matchesPattern(search, pattern, name)).map(([, each]) => each);
  if (named !== undefined) found.push(named);
  return found.length === 0 && additionalProperties !== undefined ? [additionalProperties] : found;
}
