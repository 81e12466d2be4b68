import { accepts, fitsNumber, fitsText } from './accepts.ts';
import { exampleOf } from './formats.ts';
import { textFor } from './patterns.ts';
import {
  boundOf,
  highest,
  listOf,
  lowest,
  memberSchema,
  type Reading,
  readSchema,
  type Schema,
  startReading,
  UnmadeValue,
} from './reading.ts';

const maxItems = 500;
const maxTextCharacters = 10_000;

/** Down to this level lists have items and objects have what may be left out, where a value is to show something. */
const shownLevels = 5;
const shownItems = 2;

/** From this level on, what may be null is. */
const nullLevel = 10;

/** What is said in the texts of a value, each with its source, and the pointers at which it was said. */
export interface Sayings {
  texts: readonly { text: string; number: number }[];
  said: { pointer: string; text: string; number: number }[];
}

interface Making extends Reading {
  /** Set for a value that is to show something: not the least that fits, but some of all. */
  sayings?: Sayings | undefined;
  isIntroduced?: boolean;
}

interface Place {
  level: number;
  pointer: string;
}

/** A small value that the schema accepts, in which texts say "stand-in". With sayings, further ones say these. */
export function makeValue(
  root: unknown,
  { part = root, sayings }: { part?: unknown; sayings?: Sayings } = {},
) {
  const made = make({ ...startReading(root), sayings }, part, { level: 0, pointer: '' });
  if (!accepts(startReading(root), part, made)) throw new UnmadeValue('no value was found that fits it');
  return made;
}

/** A value for the schema, which fits if any does. */
function make(making: Making, given: unknown, place: Place): unknown {
  const schema = readSchema(making, given, place.level);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum))
    return schema.enum.find((each) => accepts(making, schema, each, place.level));
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches) return makeBranch(making, schema, branches, place);
  const type = typeOf(schema, place);
  if (type === 'object') return makeObject(making, schema, place);
  if (type === 'array') return makeList(making, schema, place);
  if (type === 'string') return makeText(making, schema, place);
  if (type === 'boolean') return true;
  if (type !== 'number' && type !== 'integer') return null;
  return numbersFor(schema, type === 'integer').find((number) => fitsNumber(schema, number));
}

const inside = ({ level, pointer }: Place, name: string | number): Place => ({
  level: level + 1,
  pointer: `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`,
});

/** The first branch for which a value is found that the whole schema accepts; null last, so that something is said. */
function makeBranch(making: Making, schema: Schema, branches: readonly unknown[], { level, pointer }: Place) {
  const { anyOf: _, oneOf: __, ...beside } = schema;
  const refusals: UnmadeValue[] = [];
  const found = (branch: unknown): unknown => {
    const saidBefore = making.sayings?.said.length;
    try {
      const read = readSchema(making, branch, level + 1);
      const value = make(making, { ...beside, ...read }, { level: level + 1, pointer });
      return accepts(making, schema, value, level) ? value : undefined;
    } catch (error) {
      if (!(error instanceof UnmadeValue)) throw error;
      refusals.push(error);
      making.sayings?.said.splice(saidBefore ?? 0);
      return undefined;
    }
  };
  const isNull = (branch: unknown): boolean => accepts(making, branch, null, level + 1);
  const [nulls, others] = [branches.filter(isNull), branches.filter((branch) => !isNull(branch))];
  for (const branch of level < nullLevel ? [...others, ...nulls] : [...nulls, ...others]) {
    const value = found(branch);
    if (value !== undefined) return value;
  }
  throw refusals[0] ?? new UnmadeValue('no value was found that fits it');
}

/** The type that is asked for, null only where nothing else is or far down; without one, what the keywords speak of. */
function typeOf(schema: Schema, { level }: Place): unknown {
  const types = [schema.type ?? []].flat();
  if (types.includes('null') && level >= nullLevel) return 'null';
  if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
  if (['properties', 'required', 'additionalProperties'].some((keyword) => keyword in schema))
    return 'object';
  if ('items' in schema || 'minItems' in schema) return 'array';
  const isNumber = /^(?:(?:exclusiveM|m)(?:in|ax)imum|multipleOf)$/;
  return Object.keys(schema).some((keyword) => isNumber.test(keyword)) ? 'number' : 'string';
}

/** The required members alone; where something is to be shown, those too that can be made, in their order. */
function makeObject(making: Making, schema: Schema, place: Place): Schema {
  const required = listOf(schema.required).map(String);
  const isShown = making.sayings !== undefined && place.level < shownLevels;
  const names = isShown ? [...new Set([...Object.keys(Object(schema.properties)), ...required])] : required;
  const members = names.flatMap((name): [string, unknown][] => {
    const member = memberSchema(schema, name);
    try {
      return [[name, make(making, member, inside(place, name))]];
    } catch (error) {
      if (!(error instanceof UnmadeValue) || required.includes(name)) throw error;
      return [];
    }
  });
  return Object.fromEntries(
    members.filter(([name, value]) => value !== undefined || required.includes(name)),
  );
}

function makeList(making: Making, schema: Schema, place: Place): unknown[] {
  const least = boundOf(schema, 'minItems', 0);
  const isShown = making.sayings !== undefined && place.level < shownLevels;
  const length = isShown ? Math.max(least, Math.min(shownItems, highest(schema, 'maxItems'))) : least;
  if (length > maxItems) throw new UnmadeValue(`it asks for more than ${maxItems} items`);
  return Array.from({ length }, (_, index) => make(making, schema.items ?? true, inside(place, index)));
}

/** How many more repeats of a pattern's parts are tried. */
const moreRepeats = [0, 1, 2, 3, 5, 8, 13, 21, 34, 100];

function makeText(making: Making, schema: Schema, { pointer }: Place): string {
  const least = boundOf(schema, 'minLength', 0);
  if (least > maxTextCharacters) throw new UnmadeValue(`"minLength" is more than ${maxTextCharacters}`);
  const most = boundOf(schema, 'maxLength', maxTextCharacters);
  const said = making.isIntroduced ? nextSaying(making, schema) : undefined;
  if (said) {
    making.sayings?.said.push({ pointer, ...said });
    return said.text;
  }
  const { pattern } = schema;
  const plain = 'stand-in'.padEnd(least, ' stand-in').slice(0, most);
  if (fitsText(schema, plain)) {
    making.isIntroduced = true;
    return plain;
  }
  const example = exampleOf(schema.format);
  if (example !== undefined && fitsText(schema, example)) return example;
  for (const more of typeof pattern === 'string' ? moreRepeats : []) {
    const text = textFor(String(pattern), more);
    if (fitsText(schema, text)) return text;
  }
  throw new UnmadeValue(`no text was found for "${pattern === undefined ? 'format' : 'pattern'}"`);
}

/** What has not been said yet and fits, once there is a text that says who speaks. */
const nextSaying = ({ sayings }: Making, schema: Schema) =>
  sayings?.texts.find(
    ({ text }) => fitsText(schema, text) && !sayings.said.some((before) => before.text === text),
  );

/** Numbers at and beside the bounds, and 0 before them. */
function numbersFor(schema: Schema, isInteger: boolean): number[] {
  const lower = Math.max(lowest(schema, 'minimum'), lowest(schema, 'exclusiveMinimum'));
  const upper = Math.min(highest(schema, 'maximum'), highest(schema, 'exclusiveMaximum'));
  const near = isInteger
    ? [Math.ceil(lower), Math.floor(lower) + 1, Math.floor(upper), Math.ceil(upper) - 1]
    : [lower, upper, (lower + upper) / 2, lower + 1, upper - 1];
  const unit = boundOf(schema, 'multipleOf', 1);
  const whole = [Math.ceil(lower / unit), Math.floor(lower / unit) + 1, Math.ceil(upper / unit) - 1];
  const multiples = [...whole, Math.floor(upper / unit)].map((times) => times * unit);
  // Adding 0 makes 0 of -0, which JSON writes as 0.
  const all = [0, ...near, ...multiples].filter(isInteger ? Number.isInteger : Number.isFinite);
  return all.map((number) => number + 0);
}
