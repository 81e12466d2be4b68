import { fits, type Schema } from './fits.ts';
import { plainFigures } from './statements.ts';

type Scalar = string | number | boolean;

/** A field of a value. */
export interface ExpectedField {
  /** A JSON Pointer. Rows have what their key says in place of their number. */
  pointer: string;
  /** Undefined where nothing in the world says it. */
  value: Scalar | undefined;
  /** The paths of the materials that state it. */
  homes: readonly string[];
  /** The schema wants a value though there is none. */
  isForced?: true;
}

export interface Expected {
  fields: readonly ExpectedField[];
  /** The list whose rows may stand in any order, and the property that tells them apart. */
  rows?: { pointer: string; key: string };
}

/** What `GET` of a run shows of its value. */
export interface ShownValue {
  result?: string;
  output?: unknown;
  basis?: readonly BasisEntry[];
  unsupported?: readonly string[];
}

interface BasisEntry {
  pointer: string;
  citations: readonly FieldCitation[];
  support?: number;
}

interface FieldCitation {
  url?: string;
  filename?: string;
  startIndex: number;
  endIndex: number;
  passage?: string;
}

export interface RecordScore {
  /** The value fits its schema, and is what the text of the result says. */
  isValid: boolean;
  /** Fields that have a value, as the corpus knows it or as they were answered; and those that are as they should be. */
  fields: number;
  fieldsRight: number;
  /** Right fields whose value a source states; those whose sources all state it; and those of which a passage has it. */
  facts: number;
  factsSourced: number;
  factsQuoted: number;
  /** Fields that nothing in the world says; and those that were answered all the same and not told to be unsupported. */
  gaps: number;
  madeUp: number;
  /** Fields that have a value in the world; and those that are told to be unsupported, though they had none that is wrong. */
  known: number;
  doubted: number;
}

interface Leaf {
  pointer: string;
  value: Scalar;
}

/** Compares a value with what the corpus knows. */
export function scoreRecord(schema: Schema, { fields, rows }: Expected, run: ShownValue): RecordScore {
  const { result = '', output, basis = [], unsupported = [] } = run;
  const leaves = new Map(leavesOf(output, rows).map(([name, leaf]) => [name, leaf]));
  const score: RecordScore = {
    isValid: fits(schema, output) && JSON.stringify(parsed(result)) === JSON.stringify(output),
    ...{ fields: 0, fieldsRight: 0, facts: 0, factsSourced: 0, factsQuoted: 0 },
    ...{ gaps: 0, madeUp: 0, known: 0, doubted: 0 },
  };
  const doubted = new Set(nameOf(unsupported, output, rows));
  for (const { pointer, value, homes, isForced } of fields) {
    const leaf = leaves.get(pointer);
    leaves.delete(pointer);
    const isGiven = leaf !== undefined && !saysNothing(leaf.value);
    if (value === undefined) {
      score.gaps++;
      if (isGiven && !unsupported.includes(leaf.pointer)) score.madeUp++;
    }
    if (value !== undefined) {
      score.known++;
      if (doubted.has(pointer) && (!leaf || isSame(leaf.value, value))) score.doubted++;
    }
    if (isForced) continue;
    score.fields++;
    if (value === undefined ? isGiven : !leaf || !isSame(leaf.value, value)) continue;
    score.fieldsRight++;
    if (!leaf || value === undefined) continue;
    score.facts++;
    const { citations = [] } = basis.find((entry) => entry.pointer === leaf.pointer) ?? {};
    const isSourced = citations.length > 0 && citations.every((one) => isOf(one, homes, result, value));
    if (isSourced) score.factsSourced++;
    if (isSourced && citations.some(({ passage = '' }) => has(passage, value))) score.factsQuoted++;
  }
  // What is left was not asked for, or is of a row that there is not.
  score.fields += leaves.size;
  return score;
}

/** Whether the answer is the value that the corpus knows. */
export const isRecordRight =
  (schema: Schema, expected: Expected) =>
  ({ answer }: { answer: string }): boolean => {
    const { isValid, fields, fieldsRight } = scoreRecord(schema, expected, {
      result: answer,
      output: parsed(answer),
    });
    return isValid && fields === fieldsRight;
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const step = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Pointers as `ExpectedField` has them. */
const nameOf = (pointers: readonly string[], output: unknown, rows: Expected['rows']): string[] =>
  pointers.map((pointer) => {
    const [, i = '', rest = ''] = (rows && new RegExp(`^${rows.pointer}/(\\d+)(/.*)$`).exec(pointer)) ?? [];
    if (!rows || rest === '') return pointer;
    const list = rows.pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((one, key) => (one as Record<string, unknown> | undefined)?.[key], output);
    const row = (list as Record<string, unknown>[] | undefined)?.[Number(i)];
    return rows.pointer + step(String(row?.[rows.key] ?? i)) + rest;
  });

/** What the value gives, nulls aside, by the names that `ExpectedField` has. */
function leavesOf(value: unknown, rows: Expected['rows'], pointer = '', name = ''): [string, Leaf][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, { pointer, value: value as Scalar }]];
  return Object.entries(value).flatMap(([key, one]) => {
    const isRow = Array.isArray(value) && rows?.pointer === pointer;
    const known = isRow ? String((one as Record<string, unknown> | null)?.[rows.key] ?? key) : key;
    return leavesOf(one, rows, pointer + step(key), name + step(known));
  });
}

const saysNothing = (value: Scalar): boolean =>
  typeof value === 'string' &&
  /^\W*(?:unknown|none|n\/?a|not (?:known|stated|found|given|available)|no information)?\W*$/i.test(value);

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

const isSame = (one: Scalar, other: Scalar): boolean =>
  typeof one === 'string' && typeof other === 'string' ? plain(one) === plain(other) : one === other;

/** The citation is of a material that states the value, and stands where the value stands. */
function isOf(
  { url, filename, startIndex, endIndex }: FieldCitation,
  homes: readonly string[],
  result: string,
  value: Scalar,
): boolean {
  const path = url === undefined ? filename : URL.parse(url)?.pathname;
  const cited = parsed(result.slice(startIndex, endIndex));
  return (
    homes.some((home) => home === path || home.split('/').at(-1) === path) &&
    cited !== undefined &&
    isSame(cited as Scalar, value)
  );
}

/** Flags stand in no passage as they stand in a value. */
const has = (passage: string, value: Scalar): boolean =>
  typeof value === 'boolean' || plain(plainFigures(passage)).includes(plain(plainFigures(String(value))));
