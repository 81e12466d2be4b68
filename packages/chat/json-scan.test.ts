import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanArray, scanObject } from './json-scan.ts';
import { readElements, repeatsField, replaceEntries } from './upstream-body.ts';

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true });

function entriesOf(bytes: Buffer): Record<string, unknown> | undefined {
  const entries: Record<string, unknown> = Object.create(null);
  const scanned = scanObject(bytes, (keyStart, keyEnd, valueStart, valueEnd) => {
    const key = JSON.parse(bytes.toString('utf8', keyStart - 1, keyEnd + 1));
    entries[key] = JSON.parse(bytes.toString('utf8', valueStart, valueEnd));
  });
  return scanned ? entries : undefined;
}

test('scanning an object finds every entry, however the object is written', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = ` ${JSON.stringify(value, null, space)}\r\n`;
      expect({ ...entriesOf(Buffer.from(text)) }).toEqual(JSON.parse(text));
    }),
  );
});

test('scanning a list finds every element, however the list is written', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, space) => {
      const text = JSON.stringify({ a: 0, list: values }, null, space);
      const elements = readElements(Buffer.from(text), 'list').map((element) =>
        JSON.parse(element.toString()),
      );
      expect(elements).toEqual(JSON.parse(text).list);
    }),
  );
});

test('scanning a list accepts only bytes that are formed like a list', () => {
  const scan = (text: string) => scanArray(Buffer.from(text), () => {});
  for (const text of ['', '{}', '[', '[1', '[1,', '[1,]', '[,]', '[1 2]', '[1]]', '[]x'])
    expect([text, scan(text)]).toEqual([text, false]);
  for (const text of ['[]', ' [ ] ', '[1]', '[{}, [] ,"]"]\n'])
    expect([text, scan(text)]).toEqual([text, true]);
});

test('scanning an object ends on any bytes, and accepts only bytes that are formed like an object', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      scanObject(bytes, () => {});
    }),
  );
  for (const text of [
    '',
    '[]',
    '1',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{"a":1}x',
    '{a:1}',
    '{"a":[1}',
    '{"a" 1}',
  ])
    expect([text, scanObject(Buffer.from(text), () => {})]).toEqual([text, false]);
});

test('replacing, removing and adding entries leaves every other byte', () => {
  const text = '{ "a": 1.0, "b\\u0062" :[ 1e400 ], "skills": {"x":"}"}, "a": 2 }';
  const changed = replaceEntries(Buffer.from(text), { a: '"new"', skills: undefined, more: 'null' });
  expect(changed.toString()).toBe('{"b\\u0062" :[ 1e400 ],"a":"new","more":null}');
  expect(replaceEntries(Buffer.from('{"skills":1}'), { skills: undefined }).toString()).toBe('{}');
});

test('the replaced entry is the entry that a parser would have read, also if its key is written with escapes', () => {
  const changed = replaceEntries(Buffer.from('{"mod\\u0065l":"mine","model":"other"}'), { model: '"ours"' });
  expect(changed.toString()).toBe('{"model":"ours"}');
});

test('only the last of several entries with the same key is kept, as a parser reads them', () => {
  const changed = replaceEntries(Buffer.from('{"a": 1, "b":2, "\\u0061" :3.0}'), {});
  expect(changed.toString()).toBe('{"\\u0061" :3.0,"b":2}');
});

test('a duplicate field is found at any depth, and an object without duplicates has none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(repeatsField(Buffer.from(text), JSON.parse(text))).toBe(false);
      const twice = `[{"x":{"a:":":","y":${text},"\\u0079":1}}]`;
      expect(repeatsField(Buffer.from(twice), JSON.parse(twice))).toBe(true);
    }),
  );
});

test('any object keeps its other entries', () => {
  fc.assert(
    fc.property(object, fc.string(), (value, key) => {
      const changed = JSON.parse(
        replaceEntries(Buffer.from(JSON.stringify(value)), { [key]: '7' }).toString(),
      );
      const { [key]: _, ...rest } = value;
      const { [key]: seven, ...kept } = changed;
      expect([seven, kept]).toEqual([7, JSON.parse(JSON.stringify(rest))]);
    }),
  );
});
