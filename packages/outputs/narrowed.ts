import type { OrderedJson } from '@errand/platform';
import { inPlace, listOf, mapOf, type SchemaNode, typesOf, valuesOf } from './schema-tree.ts';
import { allowsNull } from './shape.ts';

/** What strict mode has of the keywords that are taken here and hold no schemas. */
const kept = new Set([
  ...['title', 'description', 'type', 'enum', 'const', 'additionalProperties', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

const formats = new Set<OrderedJson>([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

/** Looks around, references back, edges of words and classes of Unicode: grammars have none of them. */
const beyondGrammars = /\(\?(?:[=!]|<[=!])|\\[1-9kbBpP]/;

/** The schema as strict mode takes it: what that does not have is left out, and every property is required. */
export function narrowed(root: SchemaNode): SchemaNode {
  const narrow = (node: SchemaNode): SchemaNode => {
    const reference = node.get('$ref');
    // Nothing may stand beside it.
    if (typeof reference === 'string') return new Map([['$ref', reference]]);
    const narrower: SchemaNode = new Map();
    const values = valuesOf(node);
    if (values !== undefined && !node.has('type')) narrower.set('type', typeOfAll(values));
    for (const [keyword, value] of node) {
      const [name, changed] = narrowKeyword(keyword, value);
      if (changed !== undefined) narrower.set(name, changed);
    }
    if (!typesOf(node).includes('object')) return narrower;
    const properties = mapOf(node.get('properties'));
    return narrower
      .set('properties', narrowProperties(properties, node))
      .set('required', [...properties.keys()]);
  };
  const narrowKeyword = (keyword: string, value: OrderedJson): [string, OrderedJson?] => {
    if (kept.has(keyword) || (keyword === 'format' && formats.has(value))) return [keyword, value];
    if (keyword === 'pattern' && !beyondGrammars.test(String(value))) return [keyword, value];
    if (keyword === 'anyOf' || keyword === 'oneOf') return ['anyOf', listOf(value).map(narrowAny)];
    if (keyword === 'items') return [keyword, narrowAny(value)];
    if (keyword === '$defs' || keyword === 'definitions')
      return [keyword, new Map([...mapOf(value)].map(([name, each]) => [name, narrowAny(each)]))];
    return [keyword];
  };
  const narrowAny = (node: OrderedJson): OrderedJson => (node instanceof Map ? narrow(node) : node);
  const narrowProperties = (properties: ReadonlyMap<string, OrderedJson>, node: SchemaNode): SchemaNode => {
    const required = new Set(listOf(node.get('required')));
    return new Map(
      [...properties].map(([name, each]) => {
        if (!(each instanceof Map) || required.has(name) || mayBeNull(root, each))
          return [name, narrowAny(each)];
        return [name, orNull(narrow(each))];
      }),
    );
  };
  return narrow(root);
}

function mayBeNull(root: SchemaNode, node: SchemaNode): boolean {
  const inner = inPlace(root, node);
  return inner.length === 0 ? allowsNull(node) : inner.some((each) => mayBeNull(root, each));
}

const nothing: SchemaNode = new Map([['type', 'null']]);

/** The narrowed schema, of null too. */
function orNull(node: SchemaNode): SchemaNode {
  const either = node.get('anyOf');
  if (Array.isArray(either)) return new Map([...node, ['anyOf', [...either, nothing]]]);
  if (node.has('$ref') || node.has('const')) return new Map([['anyOf', [node, nothing]]]);
  const nullable: SchemaNode = new Map([...node, ['type', [...typesOf(node), 'null']]]);
  return node.has('enum') ? nullable.set('enum', [...listOf(node.get('enum')), null]) : nullable;
}

function typeOfAll(values: readonly OrderedJson[]): OrderedJson {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? types[0]! : types;
}
