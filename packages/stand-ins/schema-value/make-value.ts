import { accepts } from './accepts.ts';
import { conjunctions } from './conjunctions.ts';
import { numbers, texts } from './scalars.ts';
import {
  asSchema,
  isObject,
  type Keywords,
  listOf,
  type Schema,
  spend,
  startSearch,
  typesOf,
  UnmadeValue,
} from './schema.ts';
import { arrays, objects, type Place } from './structures.ts';

/** Fewer levels are tried first, so that a recursion ends as soon as it can. */
const levelsToTry = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const triesForEachType = 64;
const scalarTypes = ['string', 'integer', 'number', 'boolean', 'null'];
const keywordTypes: Record<string, RegExp> = {
  object: /^(?:properties|required|additionalProperties|patternProperties|propertyNames|minProperties)$/,
  array: /^(?:items|prefixItems|minItems|uniqueItems|contains)$/,
  string: /^(?:minLength|maxLength|pattern|format)$/,
  number: /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/,
};

/**
 * A small value that the schema accepts: its defaults and examples where they fit, else texts that say "stand-in".
 * Throws an UnmadeValue for a schema that the stand-in cannot fulfil.
 */
export function makeValue(root: unknown): unknown {
  const schema = asSchema(root);
  const search = startSearch(schema);
  for (const levels of levelsToTry) {
    const { cuts } = search;
    const { done, value } = candidates({ search, levels, at: '$', candidates }, schema).next();
    if (done !== true) return value;
    if (search.cuts === cuts) break;
  }
  throw new UnmadeValue(search.reason);
}

/** The values that fit the schema, as far as they are found. */
function* candidates(place: Place, schema: Schema): Generator<unknown> {
  const { search, levels, at } = place;
  const failure = isObject(schema) ? search.failures.get(schema) : undefined;
  if (failure && failure.levels >= levels) {
    search.reason = failure.reason;
    if (Number.isFinite(failure.levels)) search.cuts++;
    return;
  }
  const { reason, cuts } = search;
  let isFound = false;
  for (const parts of conjunctions(search, schema)) {
    for (const value of proposals(place, parts)) {
      if (!accepts(search, schema, value)) continue;
      isFound = true;
      yield value;
    }
  }
  if (isFound) return;
  if (search.reason === reason) search.reason = `no value was found for ${at}: ${excerptOf(schema)}`;
  const failedLevels = search.cuts > cuts ? levels : Number.POSITIVE_INFINITY;
  if (isObject(schema)) search.failures.set(schema, { levels: failedLevels, reason: search.reason });
}

/** The schema without what it contains. */
function excerptOf(schema: Schema): string {
  const text = JSON.stringify(schema, (key, value) => (key !== '' && isObject(value) ? '…' : value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function* proposals(place: Place, parts: readonly Keywords[]): Generator<unknown> {
  spend(place.search);
  for (const part of parts) if ('default' in part) yield part.default;
  for (const part of parts) yield* listOf(part.examples);
  const fixed = parts.find((part) => 'const' in part || Array.isArray(part.enum));
  if (fixed) {
    yield* 'const' in fixed ? [fixed.const] : listOf(fixed.enum);
    return;
  }
  for (const type of typesFor(parts))
    yield* Iterator.from(valuesOf(place, parts, type)).take(triesForEachType);
}

function typesFor(parts: readonly Keywords[]): string[] {
  const keywords = parts.flatMap(Object.keys);
  const named = Object.keys(keywordTypes).filter((type) =>
    keywords.some((each) => keywordTypes[type]?.test(each)),
  );
  const declared = parts.flatMap((part) => typesOf(part) ?? []).map(String);
  const possible =
    declared.length > 0 ? declared : named.length > 0 ? named : [...scalarTypes, 'array', 'object'];
  // A null says least, so it comes last.
  return [...new Set(possible)].sort((one, other) => Number(one === 'null') - Number(other === 'null'));
}

function valuesOf(place: Place, parts: readonly Keywords[], type: string): Iterable<unknown> {
  if (type === 'string') return texts(parts);
  if (type === 'integer' || type === 'number') return numbers(parts, type === 'integer');
  if (type === 'boolean') return [true, false];
  if (type === 'array') return arrays(place, parts);
  return type === 'object' ? objects(place, parts) : [null];
}

/** Whether the schema accepts the value. Throws an UnmadeValue for a schema that the stand-in cannot read. */
export const isAccepted = (root: unknown, value: unknown): boolean =>
  accepts(startSearch(asSchema(root)), asSchema(root), value);
