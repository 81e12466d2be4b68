import type { OrderedJson } from '@errand/platform';
import { listOf, type SchemaNode } from './schema-tree.ts';
import { allowsNull, itemNodes, propertyNodes, type Shape, valueSet } from './shape.ts';

type Enums = Map<ReadonlySet<OrderedJson>, Map<string, string | undefined>>;

/**
 * The value as its schema has it where it is plain what was meant: without nulls of properties that may be left out and may not be null,
 * texts of enums in their case, texts well-formed. Undefined if a number is no double.
 */
export function fitted(shape: Shape, value: OrderedJson): OrderedJson | undefined {
  let isNumeric = true;
  const enums: Enums = new Map();
  const fit = (nodes: readonly SchemaNode[], each: OrderedJson): OrderedJson => {
    if (typeof each === 'string') return inCase(shape.alternatives(nodes), each.toWellFormed(), enums);
    if (typeof each === 'number') isNumeric &&= Number.isFinite(each);
    if (typeof each !== 'object' || each === null) return each;
    const near = shape.nearest(nodes, each);
    if (Array.isArray(each)) {
      const items = itemNodes(near);
      return each.map((item) => fit(items, item));
    }
    const kept = new Map<string, OrderedJson>();
    for (const [key, item] of each) {
      const property = propertyNodes(near, key);
      if (item === null && isNoNull(shape, near, property, key)) continue;
      kept.set(key.toWellFormed(), fit(property, item));
    }
    return kept;
  };
  const read = fit(shape.root, value);
  return isNumeric ? read : undefined;
}

const isNoNull = (
  shape: Shape,
  near: readonly SchemaNode[],
  property: readonly SchemaNode[],
  key: string,
): boolean =>
  property.length > 0 &&
  !near.some((node) => listOf(node.get('required')).includes(key)) &&
  !shape.alternatives(property).some(allowsNull);

/** The one value of an enum that differs in case alone: some grammars do not keep it. */
function inCase(nodes: readonly SchemaNode[], text: string, enums: Enums): string {
  const [node, another] = nodes;
  const values = node && valueSet(node);
  if (values === undefined || another !== undefined || values.has(text)) return text;
  const byCase = enums.get(values) ?? textsByCase(values);
  enums.set(values, byCase);
  return byCase.get(text.toLowerCase()) ?? text;
}

/** Each text of the enum in small letters. Undefined where there are two. */
function textsByCase(values: ReadonlySet<OrderedJson>): Map<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
  for (const value of values)
    if (typeof value === 'string')
      texts.set(value.toLowerCase(), texts.has(value.toLowerCase()) ? undefined : value);
  return texts;
}
