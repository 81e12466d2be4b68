import type { OrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';
import { inPlace, mapOf, parseSchema, type SchemaNode, valuesOf } from './schema-tree.ts';

/** Tells which parts of a schema are about a value. The work is bounded by the value times `limits.outputSchemaAlternatives`. */
export interface Shape {
  root: readonly SchemaNode[];
  /** Every schema of one value that these say, references followed. */
  alternatives(nodes: readonly SchemaNode[]): SchemaNode[];
  /** Those of them that the value is nearest to, at most so many. */
  nearest(nodes: readonly SchemaNode[], value: OrderedJson, most?: number): SchemaNode[];
}

/** So many schemas of one value are looked into. A value that fits has rarely more than one. */
const mostNearest = 4;

export function shapeOf(schema: SchemaText): Shape {
  const root = parseSchema(schema);
  const known = new Map<SchemaNode, SchemaNode[]>();
  const expand = (node: SchemaNode): SchemaNode[] => {
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, []);
    const inner = inPlace(root, node);
    const expanded = inner.length === 0 ? [node] : [...new Set(inner.flatMap(expand))];
    known.set(node, expanded);
    return expanded;
  };
  const numbers = new Map<SchemaNode, number>();
  const numberOf = (node: SchemaNode): number => {
    const number = numbers.get(node) ?? numbers.size;
    numbers.set(node, number);
    return number;
  };
  const together = new Map<string, SchemaNode[]>();
  const alternatives = (nodes: readonly SchemaNode[]) => {
    if (nodes.length === 1) return expand(nodes[0]!);
    const key = nodes.map(numberOf).join();
    const all = together.get(key) ?? [...new Set(nodes.flatMap(expand))];
    together.set(key, all);
    return all;
  };
  return {
    root: [root],
    alternatives,
    nearest(nodes, value, most = mostNearest) {
      const all = alternatives(nodes);
      if (all.length === 1) return all;
      const fitting = all.filter((node) => fits(node, value));
      const near = fitting.length > 0 ? fitting : all.filter((node) => hasType(node, value));
      return near.slice(0, most);
    },
  };
}

/** The schemas of a property. */
export const propertyNodes = (nodes: readonly SchemaNode[], key: string): SchemaNode[] =>
  nodes.map((node) => mapOf(node.get('properties')).get(key)).filter((each) => each instanceof Map);

/** The schemas of an entry of a list. */
export const itemNodes = (nodes: readonly SchemaNode[]): SchemaNode[] =>
  nodes.map((node) => node.get('items')).filter((each) => each instanceof Map);

export const allowsNull = (node: SchemaNode): boolean => hasType(node, null) && takes(node, null);

/** Without what is below its properties, apart from values that tell one object from another. */
function fits(node: SchemaNode, value: OrderedJson): boolean {
  if (!hasType(node, value) || !takes(node, value)) return false;
  if (!(value instanceof Map)) return true;
  const properties = mapOf(node.get('properties'));
  for (const [key, each] of value) {
    const property = properties.get(key);
    if (!(property instanceof Map) || (each !== null && !takes(property, each))) return false;
  }
  return true;
}

const takes = (node: SchemaNode, value: OrderedJson): boolean => valueSet(node)?.has(value) ?? true;

const valueSets = new WeakMap<SchemaNode, ReadonlySet<OrderedJson> | 'none'>();

/** The values of `enum` or `const`. */
export function valueSet(node: SchemaNode): ReadonlySet<OrderedJson> | undefined {
  let set = valueSets.get(node);
  if (set === undefined) {
    const values = valuesOf(node);
    set = values ? new Set(values) : 'none';
    valueSets.set(node, set);
  }
  return set === 'none' ? undefined : set;
}

function hasType(node: SchemaNode, value: OrderedJson): boolean {
  const type = node.get('type');
  if (type === undefined) return takes(node, value);
  return Array.isArray(type) ? type.some((each) => isOf(each, value)) : isOf(type, value);
}

function isOf(type: OrderedJson, value: OrderedJson): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (value instanceof Map) return type === 'object';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
