import {
  createLog,
  limits,
  type OrderedJson,
  parseOrderedJson,
  silentLog,
  stringifyOrderedJson,
} from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { setLimit } from '../../test/support/set-limit.ts';
import { problemsOf } from './problems.ts';
import { readSchema } from './read-schema.ts';
import { withoutUnsupported } from './without-unsupported.ts';

const ordered = (value: unknown): OrderedJson => parseOrderedJson(JSON.stringify(value)).value;

function schemaOf(properties: object, more: object = {}) {
  const read = readSchema(
    ordered({ type: 'object', properties, required: Object.keys(properties), ...more }),
  );
  if ('issue' in read) throw new Error(read.issue.problem);
  return read.schema;
}

const checking = () => ({ signal: new AbortController().signal, owner: 'account', log: silentLog });

const problems = (schema: string, value: unknown) => problemsOf(schema, ordered(value), checking());

const people = schemaOf({
  'ä b/c': {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: ['integer', 'null'] },
        ['__proto__']: { type: 'string' },
      },
      required: ['name'],
    },
  },
});

describe('the problems of a value', () => {
  it('are none of one that fits, whatever its keys are', async () => {
    expect(
      await problemsOf(
        people,
        parseOrderedJson('{"ä b/c":[{"name":"a","__proto__":"b"}]}').value,
        checking(),
      ),
    ).toEqual([]);
  });

  it('have plain pointers, and name what is wrong and nothing around it', async () => {
    expect(await problems(people, { 'ä b/c': [{ name: 1 }, { constructor: 2 }] })).toEqual([
      {
        pointer: '/ä b~1c/0/name',
        problem: 'The value is of the type number, and must be of the type "string".',
      },
      { pointer: '/ä b~1c/1', problem: 'The value does not have required property "name".' },
      { pointer: '/ä b~1c/1/constructor', problem: 'The schema names no such property.' },
    ]);
  });

  it('are bounded in number and length', async () => {
    const words = schemaOf({
      a: { type: 'array', items: { enum: Array.from({ length: 900 }, (_, i) => `word ${i}`) } },
    });
    const found = await problems(words, { a: Array<string>(5_000).fill('x') });
    expect(found).toHaveLength(20);
    expect(found[0]!.problem.length).toBeLessThan(310);
  });

  it('have no pointer that is long', async () => {
    const long = 'a'.repeat(50_000);
    const [found] = await problems(people, { 'ä b/c': [{ name: 'a', [`${long}b`]: 1 }] });
    expect(found?.pointer).toMatch(/^\/ä b~1c\/0\/a{90}\.\.\.a{99}b$/);
  });

  it.each<[string, object]>([
    ['examples that look like schemas', { examples: { $id: 'http://[' } }],
    ['examples that look like references', { examples: [{ $ref: '#/$defs/%' }] }],
    ['a default that looks like a reference', { default: { $ref: '#/$defs/%' } }],
    ...['__proto__', 'constructor', 'toString'].map((format): [string, object] => [
      `the format ${format}`,
      { format },
    ]),
  ])('are found beside %s', async (_, annotation) => {
    const schema = schemaOf({
      default: { type: 'string', ...annotation },
      examples: { anyOf: [{ type: 'string', ...annotation }, { type: 'null' }] },
    });
    expect(await problems(schema, { default: 'a', examples: null })).toEqual([]);
    expect(await problems(schema, { default: 1, examples: 'a' })).toMatchObject([{ pointer: '/default' }]);
  });

  it('say so where a pattern takes for ever, and others are checked meanwhile', async () => {
    const schema = schemaOf({ a: { type: 'string', pattern: '^(a+)+$' } });
    const before = limits.valueCheckMilliseconds;
    setLimit('valueCheckMilliseconds', 500);
    const lines: Record<string, unknown>[] = [];
    const log = createLog((line) => void lines.push(JSON.parse(line)));
    const slow = problemsOf(schema, ordered({ a: `${'a'.repeat(80)}!` }), { ...checking(), log });
    setLimit('valueCheckMilliseconds', before);
    expect(await problems(schema, { a: 'aa' })).toEqual([]);
    expect(await slow).toMatchObject([
      { pointer: '', problem: expect.stringMatching(/^The value could not be checked/) },
    ]);
    expect(lines).toMatchObject([{ level: 'warn', message: 'value not checked', code: 'timeout' }]);
  });

  it('are not looked for once their signal is aborted', async () => {
    const reason = new Error('stopped');
    await expect(
      problemsOf(people, ordered({}), { ...checking(), signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});

describe('a value without what is unsupported', () => {
  const without = async (schema: string, value: unknown, pointers: string[]) =>
    stringifyOrderedJson((await withoutUnsupported(schema, ordered(value), pointers, checking())).value);

  it('has null where the schema allows it, and all else as it was', async () => {
    const value = {
      'ä b/c': [
        { age: 1, name: 'a' },
        { age: 2, name: 'b' },
      ],
    };
    expect(await without(people, value, ['/ä b~1c/0/age', '/ä b~1c/1/name', '/ä b~1c/7', '/x'])).toBe(
      '{"ä b/c":[{"age":null,"name":"a"},{"age":2,"name":"b"}]}',
    );
  });

  it('fits where alternatives allow null in one of them alone', async () => {
    const of = (kind: string, type: unknown) => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type } },
      required: ['kind', 'size'],
    });
    const schema = schemaOf({
      all: { type: 'array', items: { oneOf: [of('a', 'number'), of('b', ['number', 'null'])] } },
    });
    const value = {
      all: [
        { kind: 'a', size: 1 },
        { kind: 'b', size: 2 },
      ],
    };
    expect(await without(schema, value, ['/all/0/size', '/all/1/size', '/all/1/kind'])).toBe(
      '{"all":[{"kind":"a","size":1},{"kind":"b","size":null}]}',
    );
  });

  it('is the value where it cannot be checked', async () => {
    const schema = schemaOf({ a: { type: 'string', pattern: '^(a+)+$' }, b: { type: ['number', 'null'] } });
    const value = { a: `${'a'.repeat(80)}!`, b: 1 };
    setLimit('valueCheckMilliseconds', 500);
    expect(await without(schema, value, ['/b'])).toBe(JSON.stringify(value));
  });
});
