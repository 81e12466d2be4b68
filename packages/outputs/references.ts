import { limits } from '@errand/platform';
import { Refused } from './refused.ts';
import { inPlace, mapOf, referred, type SchemaNode } from './schema-tree.ts';

/**
 * Refuses references that lead nowhere, those that lead to themselves without a property or an entry of a list between, and schemas
 * that give a value more alternatives than are checked.
 */
export function checkReferences(root: SchemaNode): void {
  const costs = new Map<SchemaNode, number | 'open'>();
  const costOf = (node: SchemaNode, place: readonly string[], depth: number): number => {
    const known = costs.get(node);
    if (known === 'open')
      throw new Refused(place, '$ref leads back to itself without properties or items between');
    if (known !== undefined) return known;
    if (depth > limits.outputSchemaAlternatives) throw tooMany(place);
    costs.set(node, 'open');
    let cost = 1;
    for (const inner of inPlace(root, node)) cost += costOf(inner, place, depth + 1);
    if (cost > limits.outputSchemaAlternatives) throw tooMany(place);
    costs.set(node, cost);
    return cost;
  };
  for (const { node, place } of everyNode(root)) {
    const reference = node.get('$ref');
    if (typeof reference === 'string' && referred(root, reference) === undefined)
      throw new Refused(
        [...place, '$ref'],
        '$ref must be # or lead to a definition that is there, as #/$defs/name or #/definitions/name',
      );
  }
  for (const { node, place } of everyNode(root)) costOf(node, place, 0);
}

const tooMany = (place: readonly string[]) =>
  new Refused(
    place,
    `has more than ${limits.outputSchemaAlternatives} alternatives (anyOf, oneOf, $ref), references followed`,
  );

function* everyNode(root: SchemaNode) {
  const waiting: { node: SchemaNode; place: readonly string[] }[] = [{ node: root, place: [] }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    yield at;
    waiting.push(...within(at.node, at.place));
  }
}

const keywords = ['properties', '$defs', 'definitions', 'anyOf', 'oneOf'];

function within(node: SchemaNode, place: readonly string[]) {
  const found: { node: SchemaNode; place: readonly string[] }[] = [];
  const items = node.get('items');
  if (items instanceof Map) found.push({ node: items, place: [...place, 'items'] });
  for (const keyword of keywords) {
    const held = node.get(keyword);
    const entries = Array.isArray(held) ? held.entries() : mapOf(held).entries();
    for (const [name, each] of entries)
      if (each instanceof Map) found.push({ node: each, place: [...place, keyword, String(name)] });
  }
  return found;
}
