import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { narrowed } from './narrowed.ts';
import type { SchemaText } from './problems.ts';
import { mapOf, parseSchema, type SchemaNode } from './schema-tree.ts';

/**
 * The schema of what the model writes, for its prompt: `{ value, sources: [{ pointer, numbers }] }`, where `value` has the caller's schema. JSON,
 * keys in order. Definitions and references are moved so that they hold there.
 */
export const writtenForm = (schema: SchemaText): string => stringifyOrderedJson(wrapped(parseSchema(schema)));

/**
 * The same as `response_format` of chat completions, narrowed to what strict mode takes: every property required (those that may be left out may be null),
 * no bounds of texts, `oneOf` as `anyOf`. Keys that look like numbers lose their place, because the answer is an object.
 */
export const providerFormat = (
  schema: SchemaText,
): { type: 'json_schema'; json_schema: { name: string; strict: true; schema: object } } => ({
  type: 'json_schema',
  json_schema: {
    name: 'result',
    strict: true,
    schema: JSON.parse(stringifyOrderedJson(narrowed(wrapped(parseSchema(schema))))),
  },
});

const definitionKeywords = ['$defs', 'definitions'];

function wrapped(root: SchemaNode): SchemaNode {
  const definitions = new Map(
    definitionKeywords.flatMap((keyword) => (root.has(keyword) ? [[keyword, root.get(keyword)!]] : [])),
  );
  const value: SchemaNode = new Map(
    [...root].filter(([keyword]) => keyword !== '$schema' && !definitions.has(keyword)),
  );
  const rootName = refersToRoot(root) ? freeName(mapOf(root.get('$defs'))) : undefined;
  if (rootName !== undefined)
    definitions.set('$defs', new Map([...mapOf(root.get('$defs')), [rootName, value]]));
  const reference = (text: string) => (text === '#' ? `#/$defs/${rootName}` : text);
  const moved = objectOf({
    value: rootName === undefined ? value : new Map([['$ref', '#']]),
    sources,
  });
  for (const [keyword, held] of definitions) moved.set(keyword, held);
  return rootName === undefined ? moved : withReferences(moved, reference);
}

const objectOf = (properties: Record<string, SchemaNode>): SchemaNode =>
  new Map<string, OrderedJson>([
    ['type', 'object'],
    ['properties', new Map(Object.entries(properties))],
    ['required', Object.keys(properties)],
    ['additionalProperties', false],
  ]);

const described = (description: string, type: string, items?: SchemaNode): SchemaNode =>
  new Map<string, OrderedJson>([
    ['description', description],
    ['type', type],
    ...(items === undefined ? [] : [['items', items] as const]),
  ]);

const sources = described(
  'What the value rests on. One entry for each field, or one for an object or list whose fields all have the same sources.',
  'array',
  objectOf({
    pointer: described(
      'JSON Pointer of the field within value, such as /rows/3/price. Empty for the whole value.',
      'string',
    ),
    numbers: described(
      'The numbers of its sources. 0 is the question itself.',
      'array',
      new Map([['type', 'integer']]),
    ),
  }),
);

const freeName = (definitions: ReadonlyMap<string, OrderedJson>): string => {
  let name = 'value';
  while (definitions.has(name)) name += '_';
  return name;
};

/** Keywords whose values are no schemas, whatever they look like. */
const values = new Set(['enum', 'const', 'default', 'examples']);

function refersToRoot(node: OrderedJson): boolean {
  if (Array.isArray(node)) return node.some(refersToRoot);
  if (!(node instanceof Map)) return false;
  if (node.get('$ref') === '#') return true;
  return [...node].some(([keyword, each]) => !isValues(keyword, each) && refersToRoot(each));
}

function withReferences(node: SchemaNode, change: (text: string) => string): SchemaNode {
  const walk = (each: OrderedJson): OrderedJson => {
    if (Array.isArray(each)) return each.map(walk);
    return each instanceof Map ? withReferences(each, change) : each;
  };
  return new Map(
    [...node].map(([keyword, each]): [string, OrderedJson] => {
      if (keyword === '$ref' && typeof each === 'string') return [keyword, change(each)];
      return [keyword, isValues(keyword, each) ? each : walk(each)];
    }),
  );
}

/** A property may have the name of such a keyword: then it is a schema. */
const isValues = (keyword: string, value: OrderedJson): boolean =>
  values.has(keyword) && !(value instanceof Map);
