import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
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

  test('sends the fields of a form as text and one file, whatever their names and values are', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'errand-curl-'));
    const filename = `it's "a\\b", c;type=d.md`;
    await writeFile(path.join(folder, filename), 'text');
    const form = { fields: { question: '@/etc/hostname', b: "<it's;type=x" }, filename };
    const received = Promise.withResolvers<FormData>();
    const server = createServer(async (incoming, outgoing) => {
      const type = String(incoming.headers['content-type']);
      received.resolve(
        await new Response(await buffer(incoming), { headers: { 'Content-Type': type } }).formData(),
      );
      outgoing.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const command = curlOf({ method: 'POST', path: '/f', form }, origin);
    await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    const { file, ...fields } = Object.fromEntries(await received.promise);
    expect(fields).toEqual(form.fields);
    expect(await (file as File).text()).toBe('text');
    server.close();
    await rm(folder, { recursive: true });
  });

  test('names the method where curl would take another', () => {
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
