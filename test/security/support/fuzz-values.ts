import fc from 'fast-check';

/** JSON Schema as the OpenAPI document has it. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
}

/** Texts that break parsers, paths, logs and stores, beside ordinary ones. */
const oddTexts = [
  ...['', ' ', '\0', '\r\nX-Injected: 1', '../../etc/passwd', '%2e%2e%2f', '<script>', '"', "'; --"],
  ...[
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-1',
    '1e999',
    '0x10',
    'ﷺ',
    '\u202e',
    '🙂',
    'a'.repeat(5_000),
  ],
  ...[' '.repeat(5_000), 'http://169.254.169.254/', 'file:///etc/passwd', 'data:,x', '---\nname: x\n---\n'],
];

export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 1e308, 2 ** 53, Number.MIN_VALUE),
);

const nestedJson = fc
  .integer({ min: 1, max: 1_500 })
  .map((levels) => '['.repeat(levels) + ']'.repeat(levels));

/** Any JSON text: values, deep nesting, duplicate and dangerous keys. */
const anyJson = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: anyText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: anyNumber.map((number) => JSON.stringify(number)) },
  { weight: 1, arbitrary: nestedJson },
  { weight: 1, arbitrary: fc.constantFrom('{"a":1,"a":2}', '{"__proto__":{"x":1}}', '1e400', '"\\ud800"') },
);

/** Texts that a field of this name would have in a real request. */
export type Known = (field: string) => fc.Arbitrary<string>;

/** JSON text that fits the schema in most of its parts. `field` is the name of the field that it is for. */
export function jsonOf(schema: Schema, known: Known, field = ''): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 40, arbitrary: fitting(schema, known, field) },
    { weight: 1, arbitrary: anyJson },
  );
}

function fitting(schema: Schema, known: Known, field: string): fc.Arbitrary<string> {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one) => jsonOf(one, known, field)));
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)));
  if (schema.type === 'object') return objectOf(schema, known);
  if (schema.type === 'array') {
    const items = fc.array(jsonOf(schema.items ?? {}, known, field), { minLength: 1, maxLength: 4 });
    return items.map((all) => `[${all.join()}]`);
  }
  if (schema.type === 'string') return textOf(known(field)).map((text) => JSON.stringify(text));
  if (schema.type === 'number' || schema.type === 'integer')
    return anyNumber.map((number) => JSON.stringify(number));
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  if (schema.type === 'null') return fc.constant('null');
  return anyJson;
}

export const textOf = (known: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: anyText });

function objectOf(schema: Schema, known: Known): fc.Arbitrary<string> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const entry = jsonOf(field, known, name).map((json) => [`${JSON.stringify(name)}:${json}`]);
    const [kept, left] = required.includes(name) ? [40, 1] : [1, 6];
    return fc.oneof({ weight: kept, arbitrary: entry }, { weight: left, arbitrary: fc.constant([]) });
  });
  const named = typeof additionalProperties === 'object';
  const more = named ? jsonOf(additionalProperties, known) : anyJson;
  const other = fc.tuple(textOf(known('')), more).map(([name, json]) => [`${JSON.stringify(name)}:${json}`]);
  const others = fc.oneof(
    { weight: named ? 6 : 1, arbitrary: other },
    { weight: named ? 1 : 6, arbitrary: fc.constant([]) },
  );
  return fc.tuple(fc.tuple(...fields), others).map(([own, extra]) => `{${[...own.flat(), ...extra].join()}}`);
}
