import { limits, type OrderedJson } from '@errand/platform';

/** Says what is wrong with a keyword's value; undefined if nothing is. */
type Judge = (value: OrderedJson) => string | undefined;

const must = (isRight: (value: OrderedJson) => boolean, what: string): Judge => {
  const problem = `must be ${what}`;
  return (value) => (isRight(value) ? undefined : problem);
};

const text = must((value) => typeof value === 'string', 'a text');
const number = must((value) => typeof value === 'number', 'a number');
const flag = must((value) => typeof value === 'boolean', 'true or false');
const count = must((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number, 0 or more');
const anything: Judge = () => undefined;

const typeNames: readonly OrderedJson[] = [
  ...['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'],
];

const isScalar = (value: OrderedJson): boolean => typeof value !== 'object' || value === null;

const dialect = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/schema|draft-07\/schema)#?$/;

function pattern(value: OrderedJson): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (value.length > limits.outputPatternCharacters)
    return `may have ${limits.outputPatternCharacters} characters at most`;
  try {
    // Compiled at its first use alone, which is in a thread.
    new RegExp(value, 'u');
    return undefined;
  } catch {
    return 'must be a regular expression in Unicode mode';
  }
}

/** The keywords that are taken and that hold no schemas. */
export const plainKeywords: ReadonlyMap<string, Judge> = new Map([
  [
    '$schema',
    must((value) => typeof value === 'string' && dialect.test(value), 'that of 2020-12 or draft-07'),
  ],
  ['$ref', text],
  ['title', text],
  ['description', text],
  ['$comment', text],
  ['contentEncoding', text],
  ['format', text],
  ['pattern', pattern],
  [
    'type',
    must(
      (value) =>
        Array.isArray(value)
          ? value.length > 0 && value.every((each) => typeNames.includes(each))
          : typeNames.includes(value),
      'one of string, number, integer, boolean, object, array and null, or a list of them',
    ),
  ],
  [
    'enum',
    must(
      (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
      'a list of texts, numbers, flags and null',
    ),
  ],
  ['const', must(isScalar, 'a text, number, flag or null')],
  [
    'required',
    must(
      (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
      'a list of names',
    ),
  ],
  [
    'additionalProperties',
    must((value) => value === false, 'false: a value has no properties that are not named'),
  ],
  ['allOf', () => 'must be a list of one schema, without anyOf beside it'],
  ['minItems', count],
  ['maxItems', count],
  ['minLength', count],
  ['maxLength', count],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', must((value) => typeof value === 'number' && value > 0, 'a number over 0')],
  ['default', anything],
  ['examples', anything],
  ['readOnly', flag],
  ['writeOnly', flag],
  ['deprecated', flag],
]);

/** Names of a whole schema, which decide nothing where every reference is within it. They are left out. */
export const leftOut: ReadonlySet<string> = new Set(['$id', 'id']);
