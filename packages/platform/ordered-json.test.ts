import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OrderedJson, parseOrderedJson, stringifyOrderedJson } from './ordered-json.ts';

const parse = (text: string) => parseOrderedJson(text).value;

/** What JSON.parse would give, so that the two can be compared. */
const toPlain = (value: OrderedJson): unknown => {
  if (Array.isArray(value)) return value.map(toPlain);
  return value instanceof Map ? Object.fromEntries([...value].map(([k, v]) => [k, toPlain(v)])) : value;
};

const ordered: fc.Arbitrary<OrderedJson> = fc.letrec<{ value: OrderedJson }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(fc.oneof(fc.string({ unit: 'binary' }), fc.nat(50).map(String)), tie('value')), {
        maxLength: 6,
        selector: ([key]) => key,
      })
      .map((entries) => new Map(entries.filter(([key]) => key !== '__proto__'))),
  ),
})).value;

describe('order-keeping JSON', () => {
  it('gives back any value with its keys in their order', () => {
    fc.assert(
      fc.property(ordered, (value) => {
        expect(parse(stringifyOrderedJson(value))).toStrictEqual(value);
        expect([...deepKeys(parse(stringifyOrderedJson(value)))]).toEqual([...deepKeys(value)]);
      }),
    );
  });

  it('reads what JSON.parse reads, with any space between', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom(0, 1, '\t', '\n '), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        expect(toPlain(parse(` ${spaced}\r\n`))).toEqual(JSON.parse(spaced));
      }),
    );
  });

  it('reads texts, keys and numbers as JSON.parse does, however they are written', () => {
    const space = fc.constantFrom('', ' ', '\t\r\n');
    const signs = fc.constantFrom(
      ...['\\"', '\\\\', '\\/', '\\u0022', '\\u005c', '\\ud800', '\u2028', '{', ']', ',', ':', 'a', '1'],
    );
    const text = fc.array(signs, { maxLength: 4 }).map((parts) => `"${parts.join('')}"`);
    // Where an object before had such a key, JSON.parse of Node 24 takes another one for it, such as `\"` for `\`.
    const key = text.filter((one) => !/\\(["\\/u]|$)/.test(JSON.parse(one)));
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,3})(\.\d{1,3})?([eE][+-]?\d{1,2})?$/);
    const spaced = (...parts: fc.Arbitrary<string>[]) =>
      fc.tuple(...parts.flatMap((part) => [space, part]), space).map((all) => all.join(''));
    const held = (open: string, part: fc.Arbitrary<string>, close: string) =>
      fc
        .oneof(space, fc.array(part, { minLength: 1, maxLength: 4 }).map(String))
        .map((all) => `${open}${all}${close}`);
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom('null', 'true', 'false', '""'),
        text,
        number,
        held('[', spaced(tie('json')), ']'),
        held('{', spaced(key, fc.constant(':'), tie('json')), '}'),
      ),
    }));
    fc.assert(
      fc.property(spaced(json), (sent) => {
        expect(toPlain(parse(sent))).toEqual(JSON.parse(sent));
      }),
    );
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      '1',
      '-',
      '.5',
      'e',
      'null',
      'tru',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let plain: unknown;
        try {
          plain = JSON.parse(text);
        } catch {
          expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
          return;
        }
        expect(toPlain(parse(text))).toEqual(plain);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps keys that look like integers where they were sent', () => {
    const text = '{"10":1,"b":2,"2":{"1":3,"0":4},"a":[{"9":5,"8":6}]}';
    expect(stringifyOrderedJson(parse(text))).toBe(text);
  });

  it('takes the last value of a duplicate key, at the place of the first', () => {
    expect(stringifyOrderedJson(parse('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
  });

  it('reads numbers as doubles', () => {
    const text = '[9007199254740993,12345678901234567890,1e-400,0.1,-0,1E5]';
    expect(stringifyOrderedJson(parse(text))).toBe('[9007199254740992,12345678901234567000,0,0.1,0,100000]');
  });

  it('keeps strings unchanged, including escapes and lone surrogates', () => {
    const text = '["\\"\\\\\\/\\b\\u00e9","\\ud800","\\ud83d\\ude00","plain \\\\ then"]';
    expect(parse(text)).toEqual(JSON.parse(text));
    expect(JSON.parse(stringifyOrderedJson(parse(text)))).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"__proto__":1}', 'body'],
    ['{"questions":{"__proto__":{}}}', 'questions'],
    ['{"questions":{"q":{"criteria":{"__\\u0070roto__":null}}}}', 'questions.q.criteria'],
    ['{"state":[0,{"\\u005f_proto__":1}]}', 'state.1'],
    ['{"a":{"b":{"c":{"d":{"e":{"__proto__":1}}}}}}', 'a.b.c.d...'],
    ['{"a":{"__proto__":1},"a":1}', 'a'],
  ])('notes the key __proto__ in %s', (text, field) => {
    expect(parseOrderedJson(text).issue).toEqual({ field, problem: 'may not have the key __proto__' });
  });

  it('finds __proto__ at any depth, and nowhere else', () => {
    const nest = fc.array(fc.constantFrom('array', 'object'), { maxLength: 30 });
    fc.assert(
      fc.property(
        nest,
        fc.constantFrom('"__proto__"', '"__proto_\\u005f"', '"__proto"', '"___proto__"'),
        (levels, key) => {
          const inner = `{${key}:"__proto__"}`;
          const text = levels.reduce(
            (text, kind) => (kind === 'array' ? `[1,${text}]` : `{"x":${text}}`),
            inner,
          );
          expect(parseOrderedJson(text).issue !== undefined).toBe(JSON.parse(key) === '__proto__');
        },
      ),
    );
  });

  it.each(['1e400', '[-1e999]'])('notes a number past a double: %s', (text) => {
    expect(parseOrderedJson(text).issue?.problem).toBe('has a number outside of the range of a double');
  });

  it('reads a thousand levels of nesting', () => {
    const text = `${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`;
    expect(stringifyOrderedJson(parse(text))).toBe(text);
  });

  it('takes linear time for 4 MB, with or without escapes', () => {
    const strings = `[${Array<string>(400_000).fill('"abcdefg"').join(',')}]`;
    const escapes = `[${'"",'.repeat(500_000)}"${'\\n'.repeat(1_000_000)}"]`;
    expect((parse(strings) as OrderedJson[]).length).toBe(400_000);
    expect((parse(escapes) as OrderedJson[]).length).toBe(500_001);
  });
});

function* deepKeys(value: OrderedJson): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* deepKeys(item);
  if (!(value instanceof Map)) return;
  for (const [key, item] of value) {
    yield key;
    yield* deepKeys(item);
  }
}
