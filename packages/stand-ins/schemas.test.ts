import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formattedText, takesArguments } from './forced-output.ts';
import type { ChatRequest, ToolDefinition } from './wire/chat-request.ts';
import { WireError } from './wire/http.ts';

const ajv = new Ajv2020({ strict: false, ownProperties: true });
addFormats.default(ajv);

const small = fc.integer({ min: 0, max: 4 });
const number = fc.integer({ min: -20, max: 20 });
const constant = fc.oneof(fc.string({ maxLength: 5 }), number, fc.boolean(), fc.constant(null));
const between = (least: string, most: string, from: fc.Arbitrary<number>) =>
  fc.tuple(from, small).map(([low, more]) => ({ [least]: low, [most]: low + more }));
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'constructor', 'ü/~'), { maxLength: 4 });

const patterns = [
  '^[A-Z]{2}\\d{4}$',
  '^(?:a|b)+-(\\w{2,5})-\\1$',
  '[^a-z]x?\\.\\u0041',
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  '^\\p{Lu}(?<rest>.{3})\\s*$',
];
const formats = ['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'];

/** Schemas that something fulfils, of what the stand-in understands. */
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    between('minLength', 'maxLength', small).map((bounds) => ({ type: 'string', ...bounds })),
    between('minimum', 'maximum', number).map((bounds) => ({ type: 'integer', ...bounds })),
    number.map((exclusiveMinimum) => ({ exclusiveMinimum, maximum: exclusiveMinimum + 0.5 })),
    fc.array(constant, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values, default: 'x' })),
    constant.map((value) => ({ const: value })),
    fc.constantFrom(...patterns).map((pattern) => ({ type: 'string', pattern })),
    fc.constantFrom(...formats).map((format) => ({ type: 'string', format })),
    fc
      .tuple(fc.constantFrom(0.25, 1, 3), number)
      .map(([multipleOf, minimum]) => ({ type: 'number', multipleOf, minimum })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie('schema').map((items) => ({ oneOf: [{ type: 'null' }, { type: 'array', items, minItems: 1 }] })),
    fc.constantFrom({ type: ['null', 'boolean'] }, { type: 'null' }, {}, { $ref: '#/$defs/known' }),
    fc
      .tuple(tie('schema'), between('minItems', 'maxItems', small))
      .map(([items, bounds]) => ({ type: 'array', items, ...bounds })),
    fc
      .tuple(names, fc.array(tie('schema'), { maxLength: 4 }), fc.boolean())
      .map(([required, schemas, isClosed]) => ({
        type: 'object',
        properties: Object.fromEntries(required.map((name, index) => [name, schemas[index] ?? {}])),
        required,
        additionalProperties: !isClosed,
      })),
  ),
}));

const whole = schema.map((root) => ({ ...root, $defs: { known: { type: 'integer', minimum: 3 } } }));

const request = (root: object) =>
  ({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema: root } } }) as ChatRequest;

test('a made value fits whatever schema can be fulfilled', () => {
  fc.assert(
    fc.property(whole, (root) => {
      const made = JSON.parse(formattedText(request(root))!);
      expect(ajv.validate(root, made), `${JSON.stringify(made)} ${ajv.errorsText()}`).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('arguments are taken if and only if they fit', () => {
  const record = fc
    .tuple(names, schema)
    .map(([required, inner]) => ({ type: 'object', required, properties: { a: inner, b: inner } }))
    .filter((parameters) => !JSON.stringify(parameters).includes('$ref'));
  // Of 1e21 and more Ajv says that no number divides it.
  const input = fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.jsonValue({ maxDepth: 2 }), constant))
    .filter((given) => !/\d{16}|\de\+/.test(JSON.stringify(given)));
  fc.assert(
    fc.property(record, input, (parameters, given) => {
      const value = JSON.parse(JSON.stringify(given));
      const tool: ToolDefinition = { type: 'function', function: { name: 'x', parameters } };
      expect(takesArguments(tool, value)).toBe(ajv.validate(parameters, value));
    }),
    { numRuns: 500 },
  );
});

test('a schema of any form is fulfilled or refused with its reason', () => {
  const odd = fc.dictionary(
    fc.constantFrom(
      'type',
      'enum',
      'items',
      'properties',
      'required',
      '$ref',
      'minLength',
      'minimum',
      'minItems',
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('string', 'array', 'object', '#', '#/%', 'integer'),
    ),
  );
  fc.assert(
    fc.property(odd, (root) => {
      try {
        expect(JSON.parse(formattedText(request(root))!)).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }),
    { numRuns: 1_000 },
  );
});
