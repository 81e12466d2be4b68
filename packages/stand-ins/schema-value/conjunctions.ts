import { asSchema, type Keywords, listOf, resolveReference, type Search, spend } from './schema.ts';

/** A schema to fulfil, or several of which one is enough. */
type Demand = { schema: unknown } | { anyOf: readonly unknown[] };

/**
 * The ways to fulfil a schema. Each is a list of schemas to fulfil together, in which `$ref` and `allOf` have been
 * followed and a branch has been chosen of every `anyOf`, `oneOf` and `if`.
 */
export const conjunctions = (search: Search, schema: unknown): Generator<Keywords[]> =>
  fulfil(search, [{ schema }], []);

function* fulfil(search: Search, demands: readonly Demand[], parts: Keywords[]): Generator<Keywords[]> {
  spend(search, 1 + (demands.length + parts.length) / 10);
  const [demand, ...rest] = demands;
  if (demand === undefined) {
    yield parts;
  } else if ('anyOf' in demand) {
    for (const schema of demand.anyOf) yield* fulfil(search, [{ schema }, ...rest], parts);
  } else {
    const schema = asSchema(demand.schema);
    if (schema === false) return;
    const isNew = schema !== true && !parts.includes(schema);
    yield* isNew
      ? fulfil(search, [...demandsOf(search, schema), ...rest], [...parts, schema])
      : fulfil(search, rest, parts);
  }
}

function demandsOf(search: Search, schema: Keywords): Demand[] {
  const { allOf, anyOf, oneOf } = schema;
  const demands: Demand[] = listOf(allOf).map((each) => ({ schema: each }));
  if ('$ref' in schema) demands.push({ schema: resolveReference(search, schema.$ref) });
  for (const branches of [anyOf, oneOf]) if (Array.isArray(branches)) demands.push({ anyOf: branches });
  if ('if' in schema) {
    const { if: condition, then = true, else: otherwise = true } = schema;
    demands.push({ anyOf: [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }] });
  }
  return demands;
}
