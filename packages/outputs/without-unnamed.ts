import { limits, type OrderedJson } from '@errand/platform';
import { mapOf, type SchemaNode } from './schema-tree.ts';
import { itemNodes, propertyNodes, type Shape } from './shape.ts';

/**
 * The value without properties that no alternative names, in objects that have every property which theirs names: what a page made a
 * model add. Where one is missing, all stay: it may have been written under a wrong name. A value that fits is left as it is.
 */
export function withoutUnnamed(shape: Shape, value: OrderedJson): OrderedJson {
  const most = limits.outputSchemaAlternatives;
  const isWhole = (object: ReadonlyMap<string, OrderedJson>, nodes: readonly SchemaNode[]) =>
    nodes.every((node) => {
      const names = [...mapOf(node.get('properties')).keys()];
      return names.length > 0 && names.every((name) => object.has(name));
    });
  const walk = (outer: readonly SchemaNode[], each: OrderedJson): OrderedJson => {
    if (typeof each !== 'object' || each === null) return each;
    // Each node's own are counted first: together they may be as many as their product.
    if (outer.reduce((sum, node) => sum + shape.alternatives([node]).length, 0) > most) return each;
    // Of every alternative, also of one that the value is not near to.
    const nodes = shape.alternatives(outer);
    if (nodes.length === 0) return each;
    if (Array.isArray(each)) {
      const items = itemNodes(nodes);
      return each.map((item) => walk(items, item));
    }
    const named = new Map([...each].filter(([key]) => propertyNodes(nodes, key).length > 0));
    const near = shape.nearest(outer, named, most);
    const kept = named.size < each.size && near.length > 0 && isWhole(named, near) ? named : each;
    return new Map([...kept].map(([key, item]) => [key, walk(propertyNodes(nodes, key), item)]));
  };
  return walk(shape.root, value);
}
