import { limits, type OrderedJson, type OrderedObject } from '@errand/platform';
import { jsonObjects } from './find-json.ts';
import { fitted } from './fitted.ts';
import type { SchemaText } from './problems.ts';
import { listOf, mapOf, type SchemaNode } from './schema-tree.ts';
import { shapeOf } from './shape.ts';
import { readSources } from './sources.ts';
import { withoutUnnamed } from './without-unnamed.ts';

/** What a model has written: a value, and the numbers of the sources of its fields by their pointers. 0 is the question itself. */
export interface Written {
  value: OrderedJson;
  sources: ReadonlyMap<string, readonly number[]>;
}

/**
 * Reads what a model has written, fences and words around the JSON aside. Nulls of properties that may be left out and may not be
 * null are left out, and so are properties that were plainly added. Undefined if there is no JSON of the form; a bare value of the schema has no sources.
 */
export function readWritten(text: string, schema: SchemaText): Written | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const objects = jsonObjects(text).filter((each) => each instanceof Map);
  if (objects.length === 0) return undefined;
  const shape = shapeOf(schema);
  const roots = shape.alternatives(shape.root);
  const form =
    objects.findLast((each) => isForm(each, roots)) ?? objects.findLast((each) => isBare(each, roots));
  // What is all of the text is meant as the value, whatever it is.
  const meant =
    form ?? (objects[0] && text.trim().startsWith('{') && objects.length === 1 ? objects[0] : undefined);
  if (meant === undefined) return undefined;
  const inner = isForm(meant, roots) ? meant.get('value')! : meant;
  const value = fitted(shape, withoutUnnamed(shape, inner));
  if (value === undefined) return undefined;
  const sources = isForm(meant, roots) ? readSources(meant.get('sources'), value) : new Map();
  return { value, sources };
}

const formKeys = new Set(['value', 'sources']);

const hasRequired = (object: OrderedObject, roots: readonly SchemaNode[]): boolean =>
  roots.some((root) => listOf(root.get('required')).every((name) => object.has(String(name))));

/** A schema's own value may have a property `value`: then what is required tells the two apart. */
function isForm(object: OrderedObject, roots: readonly SchemaNode[]): boolean {
  const value = object.get('value');
  // What is beside both and the schema does not name was added.
  const mayBeMore = object.has('sources');
  const isOther = (key: string) => !formKeys.has(key) && !(mayBeMore && !isNamed(key, roots));
  if (!(value instanceof Map) || [...object.keys()].some(isOther)) return false;
  return hasRequired(value, roots) || !(isBare(object, roots) && hasRequired(object, roots));
}

const isNamed = (key: string, roots: readonly SchemaNode[]): boolean =>
  roots.some((root) => mapOf(root.get('properties')).has(key));

const isBare = (object: OrderedObject, roots: readonly SchemaNode[]): boolean =>
  object.size === 0
    ? roots.some((root) => mapOf(root.get('properties')).size === 0)
    : [...object.keys()].some((key) => isNamed(key, roots));
