import { isDeepStrictEqual } from 'node:util';
import { highest, texts } from './scalars.ts';
import {
  asSchema,
  isObject,
  itemSchema,
  type Keywords,
  limitOf,
  listOf,
  memberSchemas,
  type Schema,
  type Search,
  spend,
  UnmadeValue,
} from './schema.ts';

/** A place in the value that is being made. */
export interface Place {
  search: Search;
  /** How many levels of objects and arrays may be made here. */
  levels: number;
  at: string;
  /** Finds the values of an inner place. It is passed in because the file that has it imports this one. */
  candidates: (place: Place, schema: Schema) => Generator<unknown>;
}

const maxEntries = 500;

export function* arrays(place: Place, parts: readonly Keywords[]): Generator<unknown[]> {
  const containing = parts.filter((part) => 'contains' in part);
  const contained = Math.max(0, ...containing.map((part) => limitOf(part, 'minContains', 1)));
  const least = Math.max(highest(parts, 'minItems', 0), contained);
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
  const listed = Math.max(2, ...parts.map(({ prefixItems }) => listOf(prefixItems).length));
  for (let length = least; length <= least + listed; length++) {
    checkCount(length, 'items');
    const slots = Array.from({ length }, (_, index) => {
      const demands = parts.map((part) => itemSchema(part, index)).filter((demand) => demand !== true);
      if (index >= length - contained) demands.push(...containing.map((part) => part.contains));
      return { demands, at: `${place.at}[${index}]` };
    });
    yield* fill(place, slots, isUnique);
  }
}

export function* objects(place: Place, parts: readonly Keywords[]): Generator<Keywords> {
  const { search, at } = place;
  const required = new Set(parts.flatMap((part) => listOf(part.required)).map(String));
  const declared = new Set(
    parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
  );
  const needed = [...new Set([...declared, ...required])].filter((name) => required.has(name));
  const demandsOf = (name: string) => parts.flatMap((part) => memberSchemas(search, part, name));
  const least = Math.max(highest(parts, 'minProperties', 0), needed.length);
  checkCount(least, 'properties');
  const optional = moreNames(parts, [...declared])
    .filter((name) => !required.has(name) && !demandsOf(name).includes(false))
    .take(least - needed.length + 2)
    .toArray();
  for (let count = least - needed.length; count <= optional.length; count++) {
    const names = [...needed, ...optional.slice(0, count)];
    const slots = names.map((name) => ({ demands: demandsOf(name), at: `${at}.${name}` }));
    for (const values of fill(place, slots, false)) {
      yield Object.fromEntries(names.map((name, index) => [name, values[index]]));
    }
  }
}

/** Names of members that are not required: those that are declared, then some that patterns and limits of names allow. */
function* moreNames(parts: readonly Keywords[], declared: readonly string[]): Generator<string> {
  const seen = new Set<string>(declared);
  yield* declared;
  const patterns = parts.flatMap(({ patternProperties: each }) => (isObject(each) ? Object.keys(each) : []));
  const limits = parts.flatMap(({ propertyNames: each }) => (isObject(each) ? [each] : []));
  for (const kind of [...patterns.map((pattern) => [{ pattern }]), limits]) {
    const named = limits.flatMap((limit) => listOf(limit.enum)).map(String);
    for (const name of [...named, ...texts(kind)]) {
      if (!seen.has(name)) yield name;
      seen.add(name);
    }
  }
}

function checkCount(count: number, what: string): void {
  if (count > maxEntries) throw new UnmadeValue(`it asks for more than ${maxEntries} ${what}`);
}

/** Lists with a value for each slot. The first value of each is tried first, and the last slot varies first. */
function* fill(
  place: Place,
  slots: readonly { demands: unknown[]; at: string }[],
  isUnique: boolean,
): Generator<unknown[]> {
  const { search } = place;
  if (slots.length > 0 && place.levels === 0) {
    search.reason = 'no value was found that is not nested too deep';
    search.cuts++;
    return;
  }
  const sequences: { found: unknown[]; more: Generator<unknown> }[] = [];
  for (const { demands, at } of slots) {
    const demand = asSchema(demands.length > 1 ? { allOf: demands } : (demands[0] ?? true));
    const more = place.candidates({ ...place, levels: place.levels - 1, at }, demand);
    const first = more.next();
    if (first.done) return;
    sequences.push({ found: [first.value], more });
  }
  yield* choose(search, sequences, isUnique, []);
}

function* choose(
  search: Search,
  sequences: readonly { found: unknown[]; more: Generator<unknown> }[],
  isUnique: boolean,
  chosen: readonly unknown[],
): Generator<unknown[]> {
  spend(search, 1 + chosen.length / 10);
  const sequence = sequences[chosen.length];
  if (sequence === undefined) return yield [...chosen];
  for (let index = 0; ; index++) {
    if (index === sequence.found.length) {
      const { done, value } = sequence.more.next();
      if (done) return;
      sequence.found.push(value);
    }
    const value = sequence.found[index];
    if (isUnique && chosen.some((other) => isDeepStrictEqual(other, value))) continue;
    yield* choose(search, sequences, isUnique, [...chosen, value]);
  }
}
