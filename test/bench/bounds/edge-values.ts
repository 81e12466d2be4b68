import { limits } from '@errand/platform';
import type { Schema } from '../../security/support/fuzz-values.ts';

type Make = () => unknown;

/** A value with the name of the place that is at its bound in it. */
export interface Edge {
  place: string;
  make: Make;
}

const bodyRoom = 4_096;
const past = limits.jsonBodyBytes + 1;
const near = limits.jsonBodyBytes - bodyRoom;
const nested =
  (levels: number): Make =>
  () =>
    JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const listOf =
  (length: number, entry: unknown): Make =>
  () => {
    const fitting = Math.floor(near / (JSON.stringify(entry).length + 1));
    return Array.from({ length: Math.min(length, fitting) }, () => entry);
  };
const mapOf =
  (length: number, value: unknown): Make =>
  () =>
    Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, value]));

/** Where nothing says what a value may be: as much as a body holds, in every form, and just more. */
const anything: readonly Make[] = [
  () => 'a word of it. '.repeat(near / 14),
  () => 'x'.repeat(near),
  () => 'x'.repeat(past),
  () => '\u0000'.repeat(near / 6),
  () => '🙂'.repeat(near / 4),
  nested(limits.jsonNestingLevels - 10),
  nested(limits.jsonNestingLevels + 1),
  listOf(limits.jsonEntries - 100, 0),
  listOf(limits.jsonEntries + 1, 0),
  listOf(limits.jsonEntries / 4, { type: 'text', text: 'x', role: 'user', content: 'x' }),
  mapOf(limits.jsonEntries - 100, 0),
];

const bounded = (bound: number | undefined, make: (count: number) => Make): readonly Make[] =>
  bound === undefined ? [] : [make(bound), make(bound + 1)];

function ownEdges(schema: Schema): readonly Make[] {
  const { maxLength, maxItems, maxProperties, minimum, maximum, items, additionalProperties } = schema;
  const types = [schema.type].flat();
  if (schema.enum || schema.const !== undefined) return [() => 'x'.repeat(near)];
  if (types.includes('string'))
    return maxLength === undefined
      ? anything.slice(0, 5)
      : ['x', '🙂', '"'].flatMap((one) => bounded(maxLength, (count) => () => one.repeat(count)));
  if (types.includes('array'))
    return bounded(maxItems ?? limits.jsonEntries / 10, (count) => listOf(count, sampleOf(items ?? {})));
  if (types.includes('object')) {
    const value = typeof additionalProperties === 'object' ? sampleOf(additionalProperties) : 'x';
    return additionalProperties
      ? bounded(maxProperties ?? limits.jsonEntries / 2, (count) => mapOf(count, value))
      : [];
  }
  const numbers = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound, bound + 1, bound - 1],
  );
  if (types.includes('integer') || types.includes('number'))
    return [...numbers, 1e308, -1, 0.5].map((value) => () => value);
  return schema.anyOf || schema.oneOf || types.includes('boolean') || types.includes('null') ? [] : anything;
}

/** The smallest value of a form. */
export function sampleOf(schema: Schema): unknown {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return sampleOf(either[0] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, sampleOf(inner)]),
    );
  if (type === 'array') return [sampleOf(schema.items ?? {})];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : type === 'null' ? null : 'x';
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The value with each of its places, one after the other, at its bound and just past it. */
export function* edgesOf(schema: Schema, sample: unknown, place: string): Generator<Edge> {
  for (const make of ownEdges(schema)) yield { place, make };
  for (const inner of schema.anyOf ?? schema.oneOf ?? []) yield* edgesOf(inner, sample, place);
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    for (const edge of edgesOf(inner, asObject(sample)[name], `${place}.${name}`))
      yield { ...edge, make: () => ({ ...asObject(sample), [name]: edge.make() }) };
  if (schema.items)
    for (const edge of edgesOf(schema.items, Array.isArray(sample) ? sample[0] : undefined, `${place}[]`))
      yield { ...edge, make: () => [edge.make()] };
  if (typeof schema.additionalProperties === 'object')
    for (const edge of edgesOf(schema.additionalProperties, undefined, `${place}.*`))
      yield { ...edge, make: () => ({ ...asObject(sample), entry: edge.make() }) };
}
