import { format, type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';

/** Why a value does not fit. `pointer` is a JSON Pointer (RFC 6901), without its middle if it is long. */
export interface Problem {
  pointer: string;
  problem: string;
}

export interface ProblemsTask {
  /** A list of the schema and the value, as JSON. */
  bytes: Uint8Array;
  mostProblems: number;
}

export interface Found {
  problems: Problem[];
  /** Every place that something is wrong with, of alternatives too: the places of the problems, and those that hold them. */
  places: string[];
}

const mostPlaces = 10_000;
const problemCharacters = 300;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const namedSchemas = ['properties', '$defs', 'definitions'];
const listedSchemas = ['anyOf', 'oneOf', 'items'];

/** The schemas in a schema. Its defaults and examples may look like some. */
function schemasIn(node: { [key: string]: Json }): Json[] {
  const named = namedSchemas.flatMap((keyword) => Object.values(node[keyword] ?? {}));
  return [...named, ...listedSchemas.flatMap((keyword) => node[keyword] ?? [])];
}

/** Leaves out what decides nothing: the validator reads `$id` and `$ref` in examples, and knows formats by the names that every object has. */
function withoutAnnotations(node: { [key: string]: Json }): void {
  delete node.examples;
  delete node.default;
  if (!Object.hasOwn(format, String(node.format))) delete node.format;
}

/** Names of definitions that the validator's URIs take as they are. */
function withPlainNames(root: { [key: string]: Json }): void {
  const names = new Map<string, string>();
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = root[keyword];
    if (typeof definitions !== 'object' || definitions === null || Array.isArray(definitions)) continue;
    const renamed = Object.entries(definitions).map(([name, node], i): [string, Json] => {
      names.set(`#/${keyword}/${name}`, `#/${keyword}/d${i}`);
      return [`d${i}`, node];
    });
    root[keyword] = Object.fromEntries(renamed);
  }
  const waiting: Json[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) continue;
    if (typeof node.$ref === 'string') node.$ref = names.get(decodedReference(node.$ref)) ?? node.$ref;
    withoutAnnotations(node);
    waiting.push(...schemasIn(node));
  }
}

function decodedReference(text: string): string {
  const at = text.indexOf('/', 2) + 1;
  return at === 0
    ? text
    : text.slice(0, at) + decodeURIComponent(text.slice(at)).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Says only that something within is wrong. */
const outer = new Set(['$ref', 'anyOf', 'properties', 'items', 'additionalProperties']);

const isOuter = ({ keyword, error }: OutputUnit): boolean =>
  outer.has(keyword) || (keyword === 'oneOf' && error.endsWith('(0 matches).'));

const pointerOf = (location: string): string => decodeURIComponent(location.slice(1));

const shownEnd = 100;

/** A model may write a name of any length, and schemas that refer to themselves have places of any depth. */
const shownPointer = (pointer: string): string =>
  pointer.length > 2 * shownEnd
    ? `${pointer.slice(0, shownEnd)}...${pointer.slice(-shownEnd)}`.toWellFormed()
    : pointer;

const wrongType = /^Instance type "(\w+)" is invalid\. Expected "(.+)"\.$/;

function describe({ keyword, error }: OutputUnit): string {
  if (keyword === 'false') return 'The schema names no such property.';
  const [, is, must] = wrongType.exec(error) ?? [];
  if (is !== undefined) return `The value is of the type ${is}, and must be of the type "${must}".`;
  const told = error.replace(/^Instance(?= )/, 'The value');
  return told.length > problemCharacters ? `${told.slice(0, problemCharacters)}...` : told;
}

function errorsOf(schema: Schema, value: unknown): OutputUnit[] {
  try {
    return new Validator(schema, '2020-12', false).validate(value).errors;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // So many that they do not fit on the stack.
    return new Validator(schema, '2020-12', true).validate(value).errors;
  }
}

/** What of a value does not fit its schema. A pattern may take for ever: it works in a thread alone. */
export function findProblems({ bytes, mostProblems }: ProblemsTask): Found {
  const [schema, value] = JSON.parse(new TextDecoder().decode(bytes));
  withPlainNames(schema);
  const errors = errorsOf(schema, value);
  const problems = new Map<string, Problem>();
  for (const error of errors) {
    if (problems.size === mostProblems) break;
    if (isOuter(error)) continue;
    const told = { pointer: shownPointer(pointerOf(error.instanceLocation)), problem: describe(error) };
    problems.set(JSON.stringify(told), told);
  }
  const places = new Set<string>();
  for (const { instanceLocation } of errors.slice(0, mostPlaces)) places.add(pointerOf(instanceLocation));
  return { problems: [...problems.values()], places: [...places] };
}
