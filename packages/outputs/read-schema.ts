import { limits, type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { boundSize } from './bound-size.ts';
import { leftOut, plainKeywords } from './keywords.ts';
import type { SchemaText } from './problems.ts';
import { checkReferences } from './references.ts';
import { Refused, type SchemaIssue, shown } from './refused.ts';
import { listOf, mapOf, referred, type SchemaNode, typesOf } from './schema-tree.ts';

/**
 * Reads a caller's JSON Schema (2020-12 or draft-07, of what OpenAI's strict mode has, with bounds of texts, numbers and lists).
 * Returns its text, with keys in their order, or the first issue. Nothing is compiled before every bound is checked.
 */
export function readSchema(schema: OrderedJson): { schema: SchemaText } | { issue: SchemaIssue } {
  try {
    boundSize(schema);
    const reading: Reading = { properties: 0, enumValues: 0 };
    const root = readNode(reading, schema, { place: [], level: 0, isRoot: true });
    checkReferences(root);
    checkRoot(root);
    return { schema: stringifyOrderedJson(root) };
  } catch (error) {
    if (error instanceof Refused) return { issue: error.issue };
    throw error;
  }
}

/** What is counted over the whole schema. */
interface Reading {
  properties: number;
  enumValues: number;
}

interface Position {
  place: readonly string[];
  /** How many objects and lists are around it. */
  level: number;
  isRoot?: boolean;
}

const keywordsOfSchemas = ['properties', 'items', 'anyOf', 'oneOf', '$defs', 'definitions'];

/** Draft-07 has `allOf` with one schema where something stands beside a reference. */
const isOneOfAll = (node: SchemaNode, keyword: string): boolean =>
  keyword === 'allOf' && listOf(node.get('allOf')).length === 1 && !node.has('anyOf');

/** The node as it is kept. */
function readNode(reading: Reading, node: OrderedJson, position: Position): SchemaNode {
  const { place, level, isRoot = false } = position;
  if (!(node instanceof Map)) throw new Refused(place, 'must be a schema (an object)');
  if (level > limits.outputSchemaLevels)
    throw new Refused(
      place,
      `has more than ${limits.outputSchemaLevels} levels of objects and lists around it`,
    );
  const kept: SchemaNode = new Map();
  for (const [sent, value] of node) {
    const keyword = isOneOfAll(node, sent) ? 'anyOf' : sent;
    if (leftOut.has(keyword)) continue;
    const at = [...place, keyword];
    if (keywordsOfSchemas.includes(keyword)) {
      if (!isRoot && (keyword === '$defs' || keyword === 'definitions'))
        throw new Refused(at, `${keyword} may stand at the root alone`);
      kept.set(keyword, readSchemas(reading, keyword, value, { place: at, level }));
      continue;
    }
    const judge = plainKeywords.get(keyword);
    if (judge === undefined) throw new Refused(at, `${shown(keyword)} is not a keyword that is taken here`);
    const problem = judge(value);
    if (problem !== undefined) throw new Refused(at, `${keyword} ${problem}`);
    kept.set(keyword, value);
  }
  checkTogether(reading, kept, place);
  if (typesOf(kept).includes('object') && !kept.has('additionalProperties'))
    kept.set('additionalProperties', false);
  return kept;
}

function readSchemas(reading: Reading, keyword: string, value: OrderedJson, { place, level }: Position) {
  if (keyword === 'items') return readNode(reading, value, { place, level: level + 1 });
  if (keyword === 'anyOf' || keyword === 'oneOf') {
    if (!Array.isArray(value) || value.length === 0)
      throw new Refused(place, `${keyword} must be a list of schemas`);
    return value.map((each, i) => readNode(reading, each, { place: [...place, String(i)], level }));
  }
  if (!(value instanceof Map)) throw new Refused(place, `${keyword} must be an object of schemas`);
  const within = keyword === 'properties' ? level + 1 : level;
  const kept: SchemaNode = new Map();
  for (const [name, each] of value) {
    const at = [...place, name];
    if (name.length > limits.outputNameCharacters)
      throw new Refused(at, `has a name of more than ${limits.outputNameCharacters} characters`);
    if (keyword === 'properties' && ++reading.properties > limits.outputSchemaProperties)
      throw new Refused(at, `is one of more than ${limits.outputSchemaProperties} properties`);
    kept.set(name, readNode(reading, each, { place: at, level: within }));
  }
  return kept;
}

const wholes = ['$ref', 'anyOf', 'oneOf'];
const parts = ['properties', 'required', 'additionalProperties', 'items'];

/** What the keywords of a schema must be beside each other. */
function checkTogether(reading: Reading, node: SchemaNode, place: readonly string[]): void {
  const refuse = (keyword: string, problem: string) => {
    throw new Refused(keyword === '' ? place : [...place, keyword], problem);
  };
  reading.enumValues += listOf(node.get('enum')).length;
  if (reading.enumValues > limits.outputEnumValues)
    refuse('enum', `enum brings the values of all enums to more than ${limits.outputEnumValues}`);
  const [whole, another] = wholes.filter((keyword) => node.has(keyword));
  if (another !== undefined) refuse(another, `${another} may not stand beside ${whole}`);
  const part = parts.find((keyword) => node.has(keyword));
  const types = typesOf(node);
  if (whole !== undefined && part !== undefined) refuse(part, `${part} may not stand beside ${whole}`);
  if (whole !== undefined) return;
  if (types.length === 0 && !node.has('enum') && !node.has('const'))
    refuse('', 'must have one of type, enum, const, anyOf, oneOf and $ref');
  if (types.includes('array') && !node.has('items'))
    refuse('', 'must have items, because it has the type array');
  const names = mapOf(node.get('properties'));
  if (names.size > 0 && !types.includes('object'))
    refuse('properties', 'properties need the type object beside them');
  const unnamed = listOf(node.get('required')).find((name) => !names.has(String(name)));
  if (unnamed !== undefined)
    refuse('required', `required names ${shown(String(unnamed))}, which is not in properties`);
}

/** The root's own type, or that of the definition which it refers to, is an object. */
function checkRoot(root: SchemaNode): void {
  let node: SchemaNode | undefined = root;
  for (let reference = node.get('$ref'); typeof reference === 'string'; reference = node?.get('$ref'))
    node = node && referred(root, reference);
  if (node?.get('type') !== 'object') throw new Refused([], 'must have the type object at its root');
}
