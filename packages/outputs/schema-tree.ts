import { type OrderedJson, type OrderedObject, parseOrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';

/** A schema that `readSchema` has read, or a part of it. */
export type SchemaNode = OrderedObject;

export const parseSchema = (text: SchemaText): SchemaNode => {
  const { value } = parseOrderedJson(text);
  return value instanceof Map ? value : new Map();
};

const referenceForm = /^#\/(\$defs|definitions)\/([^/]+)$/;

/** Where a reference points: the keyword and the name of a definition, or the root. */
function readReference(text: string): { keyword: string; name: string } | 'root' | undefined {
  if (text === '#') return 'root';
  const [, keyword, name] = referenceForm.exec(text) ?? [];
  if (keyword === undefined || name === undefined) return undefined;
  try {
    return { keyword, name: decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~') };
  } catch {
    return undefined;
  }
}

/** The part of a schema that a reference means; undefined if there is none. */
export function referred(root: SchemaNode, text: string): SchemaNode | undefined {
  const reference = readReference(text);
  if (reference === undefined) return undefined;
  if (reference === 'root') return root;
  const node = mapOf(root.get(reference.keyword)).get(reference.name);
  return node instanceof Map ? node : undefined;
}

const none: ReadonlyMap<string, OrderedJson> = new Map();

export const mapOf = (value: OrderedJson | undefined): ReadonlyMap<string, OrderedJson> =>
  value instanceof Map ? value : none;

export const listOf = (value: OrderedJson | undefined): readonly OrderedJson[] =>
  Array.isArray(value) ? value : [];

/** The names in `type`, none if it has no `type`. */
export function typesOf(node: SchemaNode): readonly OrderedJson[] {
  const type = node.get('type');
  return typeof type === 'string' ? [type] : listOf(type);
}

/** The values of `enum` or `const`; undefined if it has neither. */
export function valuesOf(node: SchemaNode): readonly OrderedJson[] | undefined {
  const only = node.get('const');
  return only === undefined ? (node.has('enum') ? listOf(node.get('enum')) : undefined) : [only];
}

/** The schemas of which a value must fit one: those of `anyOf`, `oneOf` and what `$ref` means. None if it has none of these. */
export function inPlace(root: SchemaNode, node: SchemaNode): SchemaNode[] {
  const reference = node.get('$ref');
  const meant = typeof reference === 'string' ? referred(root, reference) : undefined;
  const either = [...listOf(node.get('anyOf')), ...listOf(node.get('oneOf'))];
  return [meant, ...either].filter((each) => each instanceof Map);
}
