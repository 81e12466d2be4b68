import type { OrderedJson, OrderedObject } from '@errand/platform';
import type { SchemaNode } from './schema-tree.ts';
import { propertyNodes, valueSet } from './shape.ts';

const labelCharacters = 80;
const descriptionCharacters = 200;
const rowCharacters = 120;
const valueCharacters = 500;
/** The labels, and the rows, nearest to a field. */
const mostLabels = 4;
const mostRows = 3;

const cut = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).toWellFormed()}...` : text;

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** How a property is called: by its title, else by its name in words. */
export const labelOf = (nodes: readonly SchemaNode[], key: string): string =>
  cut(textOf(nodes, 'title') ?? inWords(key), labelCharacters);

export function textOf(nodes: readonly SchemaNode[], keyword: 'title' | 'description'): string | undefined {
  for (const node of nodes) {
    const text = node.get(keyword);
    if (typeof text === 'string' && text.trim() !== '') return inOneLine(text.slice(0, 4 * valueCharacters));
  }
  return undefined;
}

/** `unitPrice_eur` as `unit price eur`. */
const inWords = (key: string): string =>
  inOneLine(
    key
      .slice(0, 2 * labelCharacters)
      .replaceAll(/(\p{Ll})(\p{Lu})(?=\p{Ll})/gu, (_, before, after) => `${before} ${after.toLowerCase()}`)
      .replaceAll(/[_-]+/g, ' '),
  ) || JSON.stringify(key.slice(0, labelCharacters));

/** What tells an object apart: the field, and words with its value. */
export interface Row {
  key: string;
  words: string;
  isOfList: boolean;
}

/** The field that tells an object from others like it: its first text that the schema leaves open, else the first number of an object of a list. */
export function rowOf(
  object: OrderedObject,
  nodes: readonly SchemaNode[],
  isOfList: boolean,
): Row | undefined {
  const fields = [...object].slice(0, 64);
  const isOpen = (key: string) => !propertyNodes(nodes, key).some((node) => valueSet(node) !== undefined);
  const tells = (key: string, value: OrderedJson) =>
    typeof value === 'string' && value !== '' && (isOfList || value.length <= rowCharacters) && isOpen(key);
  const numbered = () => fields.find(([, value]) => isOfList && typeof value === 'number');
  const [key, value] = fields.find(([name, each]) => tells(name, each)) ?? numbered() ?? [];
  if (key === undefined || value === undefined) return undefined;
  const words = `${labelOf(propertyNodes(nodes, key), key)} ${shown(value, rowCharacters)}`;
  return { key, words: isOfList ? `in the row with ${words}` : `beside ${words}`, isOfList };
}

const shown = (value: OrderedJson, characters: number): string =>
  typeof value === 'string'
    ? `"${cut(inOneLine(value.slice(0, 2 * characters)), characters)}"`
    : String(value);

/** A field's statement: `Laptops › price (Price in EUR), in the row with name "Foo": 12.5`. */
export function claimOf(field: {
  labels: readonly string[];
  description: string | undefined;
  rows: readonly Row[];
  value: OrderedJson;
}): string {
  const path = field.labels.slice(-mostLabels).join(' › ');
  const description =
    field.description === undefined ? '' : ` (${cut(field.description, descriptionCharacters)})`;
  const rows = field.rows.slice(-mostRows).map(({ words }) => `, ${words}`);
  return `${path}${description}${rows.join('')}: ${shown(field.value, valueCharacters)}`;
}
