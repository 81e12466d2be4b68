import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlOf } from './curl.ts';
import { literal } from './typescript.ts';

/** The words that a shell makes of the command, but for its name. */
function wordsOf(command: string): string[] {
  const shown = execFileSync('sh', ['-c', command.replace(/^curl /, `printf '%s\\0' `)], {
    env: { ERRAND_API_KEY: 'key' },
  });
  return shown.toString('utf8').split('\0').slice(0, -1);
}

describe('a call as curl', () => {
  const json = { question: `It's "5 $HOME" \`id\` \\ \n!`, tools: ['a'] };

  test('reaches the shell as it is meant, whatever the visitor wrote', () => {
    const words = wordsOf(curlOf({ method: 'POST', path: '/v1/agents/runs', json }, 'http://a:1'));
    expect(words[0]).toBe('http://a:1/v1/agents/runs');
    expect(words).toContain('Authorization: Bearer key');
    expect(JSON.parse(words.at(-1)!)).toEqual(json);
  });

  test('sends the fields of a form, and names the method where curl would take another', () => {
    expect(
      wordsOf(curlOf({ method: 'POST', path: '/f', form: { a: "it's", file: '@b.md' } }, 'http://a')),
    ).toEqual([...['http://a/f', '-H', 'Authorization: Bearer key', '-F', "a=it's", '-F', 'file=@b.md']]);
    expect(curlOf({ method: 'PATCH', path: '/f', json: {} }, 'http://a')).toContain('-X PATCH');
  });
});

describe('a value as TypeScript', () => {
  test('is the same value, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = new Function(`return (${literal(value)});`) as () => unknown;
        expect(JSON.stringify(read())).toBe(JSON.stringify(value));
      }),
    );
  });

  test('keeps a name that means something else in TypeScript', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}');
    expect(literal(value)).toBe(`{ ['__proto__']: { a: 1 } }`);
  });

  test('is short in a line, and long in lines', () => {
    expect(literal({ a: 1, 'b-c': ["it's"] })).toBe(`{ a: 1, 'b-c': ['it\\'s'] }`);
    expect(literal({ text: 'x'.repeat(80) })).toBe(`{\n  text: '${'x'.repeat(80)}',\n}`);
  });
});
