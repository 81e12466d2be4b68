import { type Message, type PolicyRequest, textOf } from '../conversation.ts';

/** A JSON Schema, as far as the policy reads it. */
export interface Node {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  items?: Node;
  enum?: readonly unknown[];
  anyOf?: readonly Node[];
}

/** What the policy understood of the form in which it has to answer. */
export type Form = { value: Part; hasSources: boolean };

export type Part = ObjectPart | ListPart | FieldPart;

interface ObjectPart {
  kind: 'object';
  properties: readonly { key: string; part: Part; isRequired: boolean }[];
}

interface ListPart {
  kind: 'list';
  item: Part;
}

export interface FieldPart {
  kind: 'field';
  /** Its description, then those of what it is in. */
  text: string;
  description: string;
  types: readonly string[];
  members: readonly unknown[];
}

export const mayBeNull = ({ types }: FieldPart): boolean => types.includes('null');

/** The form that the conversation shows, or else the one that the request has beside it. */
export function readForm({ messages, response_format }: PolicyRequest): Form | undefined {
  const asked = messages.filter(({ role }) => role !== 'assistant' && role !== 'tool');
  const schema = asked.flatMap(formsIn)[0] ?? (response_format?.json_schema?.schema as Node | undefined);
  const value = schema?.properties?.value;
  if (!schema || !value) return undefined;
  return { value: partOf(value, schema, []), hasSources: schema.properties?.sources !== undefined };
}

function formsIn(message: Message): Node[] {
  const text = textOf(message);
  if (!text.includes('"properties"')) return [];
  return objectsIn(text).filter(({ properties }) => properties?.value !== undefined);
}

/** The JSON objects that stand in a text. */
export function objectsIn(text: string): Node[] {
  const objects: Node[] = [];
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const end = endOf(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (value === undefined) continue;
    objects.push(value);
    at = end! - 1;
  }
  return objects;
}

/** Behind the brace that closes the one at `start`. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (const { 0: sign, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}

function parsed(text: string): Node | undefined {
  try {
    return JSON.parse(text) as Node;
  } catch {
    return undefined;
  }
}

function partOf(given: Node, root: Node, around: readonly string[]): Part {
  const node = resolve(given, root);
  const description = given.description ?? node.description ?? '';
  const texts = [description, ...around].filter(Boolean);
  const options = node.anyOf?.map((one) => resolve(one, root)) ?? [node];
  const shaped = options.find(({ properties, items }) => properties ?? items) ?? node;
  if (shaped.properties)
    return {
      kind: 'object',
      properties: Object.entries(shaped.properties).map(([key, one]) => ({
        key,
        part: partOf(one, root, texts),
        isRequired: shaped.required?.includes(key) ?? false,
      })),
    };
  if (shaped.items) return { kind: 'list', item: partOf(shaped.items, root, texts) };
  return {
    kind: 'field',
    text: texts.join(' / '),
    description,
    types: options.flatMap(({ type = [] }) => type),
    members: node.enum ?? [],
  };
}

function resolve(node: Node, root: Node): Node {
  if (node.$ref === undefined) return node;
  const steps = node.$ref.split('/').slice(1);
  const found = steps.reduce<unknown>(
    (one, step) => (one as Record<string, unknown> | undefined)?.[step],
    root,
  );
  return (found ?? {}) as Node;
}
