import { limits, parseOrderedJson, stringifyOrderedJson } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { readSchema } from './read-schema.ts';
import { readWritten } from './written-value.ts';

function schemaOf(schema: object) {
  const read = readSchema(parseOrderedJson(JSON.stringify(schema)).value);
  if ('issue' in read) throw new Error(read.issue.problem);
  return read.schema;
}

const laptops = schemaOf({
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          'a.b': { type: ['number', 'null'] },
          tag: { enum: ['New', 'Used'] },
        },
        required: ['name'],
      },
    },
  },
  required: ['rows'],
});

const rows = '{"rows":[{"name":"Foo","a.b":1}]}';
const form = (sources: string) => `{"value":${rows},"sources":${sources}}`;

function read(text: string, schema = laptops) {
  const written = readWritten(text, schema);
  return (
    written && { value: stringifyOrderedJson(written.value), sources: Object.fromEntries(written.sources) }
  );
}

describe('what a model has written', () => {
  it.each([
    ['alone', form('[]')],
    ['in a fence', `\`\`\`json\n${form('[]')}\n\`\`\``],
    ['among words', `The {result} is {"a: ${form('[]')}. That's all {of} it.`],
    ['after an earlier one', `{"value":{"rows":[]},"sources":[]} or rather ${form('[]')}`],
    ['before another JSON', `${form('[]')} as in {"name":"Bar"}`],
    ['without the form', rows],
    ['without the form, among words', `Here: ${rows}`],
  ])('is found %s', (_, text) => {
    expect(read(text)).toEqual({ value: rows, sources: {} });
  });

  it.each([
    ['words', 'There are no laptops.'],
    ['a JSON of something else among words', 'See {"name":"Bar"}.'],
    ['a list', '[1]'],
    ['a JSON that breaks off', form('[]').slice(0, -4)],
    ['a number past a double', '{"value":{"rows":[1e400]},"sources":[]}'],
    ['a JSON of too many levels', `{"value":{"rows":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`],
    ['a JSON of too many entries', `{"rows":[${'{},'.repeat(limits.valueEntries + 1)}{}]}`],
    ['a text that is too long', `${rows}${' '.repeat(limits.valueCharacters)}`],
  ])('is undefined of %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is taken as the value where it is all of the text, so that it can be said what is wrong with it', () => {
    expect(read('{"laptops":[]}')).toEqual({ value: '{"laptops":[]}', sources: {} });
  });

  it('leaves out nulls of properties that may be left out and may not be null, and no others', () => {
    expect(read('{"rows":[{"name":null,"a.b":null,"tag":null},{"tag":null,"x":null}]}')?.value).toBe(
      '{"rows":[{"name":null,"a.b":null},{"x":null}]}',
    );
  });

  it('has the one text of an enum that differs in case alone', () => {
    expect(read('{"rows":[{"name":"foo","tag":"new"},{"tag":"newer"}]}')?.value).toBe(
      '{"rows":[{"name":"foo","tag":"New"},{"tag":"newer"}]}',
    );
  });

  it('keeps the order of keys, those that look like numbers and __proto__', () => {
    const row = '{"b":1,"10":2,"__proto__":{"2":1,"1":2},"a":3}';
    expect(read(`{"rows":[${row}]}`)?.value).toBe(`{"rows":[${row}]}`);
  });

  it.each([
    ['in the value', '{"rows":[],"owner":"me","__proto__":1}', '{"rows":[]}'],
    [
      'in a row',
      '{"rows":[{"name":"a","x":{},"a.b":1,"tag":null},{"name":"b","x":{}}]}',
      '{"rows":[{"name":"a","a.b":1},{"name":"b","x":{}}]}',
    ],
  ])('leaves out what the schema does not name %s, where all is there that it names', (_, text, left) => {
    expect(read(text)?.value).toBe(left);
    const sources = [{ pointer: '/owner', numbers: [1] }];
    expect(read(`{"value":${text},"sources":${JSON.stringify(sources)},"owner":"me"}`)).toEqual({
      value: left,
      sources: {},
    });
  });

  it.each(['{"value":{"rows":[]},"owner":"me"}', '{"owner":"me"}'])(
    'leaves out nothing of %s, which has not what the schema names',
    (text) => {
      expect(read(text)?.value).toBe(text);
    },
  );

  it('keeps what any alternative names, also one of many that it is not nearest to', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const inner = (name: string) => ({
      type: 'object',
      properties: { data: { type: 'object', properties: { [name]: { type: 'integer' } } } },
    });
    const schema = schemaOf({
      type: 'object',
      properties: { it: { anyOf: names.map(inner) } },
    });
    for (const name of names) {
      const text = `{"it":{"data":{"${name}":1}}}`;
      expect(read(text, schema)?.value).toBe(text);
    }
    expect(read('{"it":{"data":{"g":1},"x":1}}', schema)?.value).toBe('{"it":{"data":{"g":1}}}');
  });

  it('keeps what may be a property under a wrong name, in one of many alternatives that are near', () => {
    const kind = (pattern: string, more: object = {}) => ({
      type: 'object',
      properties: { kind: { type: 'string', pattern }, ...more },
      required: ['kind'],
    });
    const anyOf = [
      ...['a', 'b', 'c', 'd'].map((letter) => kind(letter)),
      kind('e', { size: { type: 'integer' } }),
    ];
    const schema = schemaOf({ type: 'object', properties: { it: { anyOf } }, required: ['it'] });
    const value = '{"it":{"kind":"e","Size":3}}';
    expect(read(`{"value":${value},"sources":[]}`, schema)?.value).toBe(value);
  });

  it('makes halves of characters whole, so that it can be stored', () => {
    expect(read('{"rows":[{"name":"\\ud800","\\udc00":1}]}')?.value).toBe(
      '{"rows":[{"name":"\ufffd","\ufffd":1}]}',
    );
  });

  it.each([
    [
      '{"type":"object","properties":{"value":{"type":"number"},"unit":{"type":"string"}}}',
      '{"value":5,"unit":"kg"}',
    ],
    ['{"type":"object","properties":{"value":{"type":"object"}},"required":["value"]}', '{"value":{}}'],
  ])('tells the form from a value of the schema %s', (schema, value) => {
    const text = schemaOf(JSON.parse(schema));
    expect(read(value, text)?.value).toBe(value);
    expect(read(`{"value":${value},"sources":[{"pointer":"/value","numbers":[1]}]}`, text)).toEqual({
      value,
      sources: { '/value': [1] },
    });
  });
});

describe('the sources of what a model has written', () => {
  it.each([
    ['{"pointer":"/rows/0","numbers":[2,5]}', { '/rows/0': [2, 5] }],
    ['{"pointer":"","numbers":[0]}', { '': [0] }],
    ['{"pointer":"#/rows/0/name","numbers":["3","[4]",3]}', { '/rows/0/name': [3, 4] }],
    ['{"pointer":"/value/rows/0","numbers":1}', { '/rows/0': [1] }],
    ['{"pointer":"rows.0.name","numbers":[1]}', { '/rows/0/name': [1] }],
    ['{"pointer":"$.rows[0].name","numbers":"1, 2"}', { '/rows/0/name': [1, 2] }],
    ['{"pointer":"/rows/0/a.b","numbers":[1]}', { '/rows/0/a.b': [1] }],
    ['{"pointer":"value","numbers":[1]}', { '': [1] }],
    ['{"pointer":"/rows/1","numbers":[1]}', {}],
    ['{"pointer":"/rows/00","numbers":[1]}', {}],
    ['{"pointer":"/rows/length","numbers":[1]}', {}],
    ['{"pointer":"/__proto__","numbers":[1]}', {}],
    ['{"pointer":"/rows","numbers":[-1,1.5,1e300,null,{},true]}', {}],
    ['{"pointer":7,"numbers":[1]}', {}],
    ['null,7,"x",[]', {}],
  ])('are read of %s', (entry, sources) => {
    expect(read(form(`[${entry}]`))?.sources).toEqual(sources);
  });

  it('are read of an object from pointers to numbers, and are none of anything else', () => {
    expect(read(form('{"/rows/0":[2],"/rows/0/name":3}'))?.sources).toEqual({
      '/rows/0': [2],
      '/rows/0/name': [3],
    });
    for (const sources of ['null', '"x"', '7']) expect(read(form(sources))?.sources).toEqual({});
  });

  it('are bounded', () => {
    const entry = `{"pointer":"/rows","numbers":[${Array.from({ length: 500 }, (_, i) => i)}]}`;
    expect(read(form(`[${entry}]`))?.sources['/rows']).toHaveLength(32);
  });
});
