import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../scripts/build-console.ts';
import { root } from '../../scripts/bundle-function.ts';

const mostBytes = 120_000;
const mostMathsBytes = 70_000;

/** Every page of the console waits for these scripts. What only some pages need comes with them. */
const firstBytes = 50_000;

describe('the built console', () => {
  let files: { name: string; bytes: Buffer }[] = [];
  let inputs: string[] = [];
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'errand-console-'));
    inputs = await buildConsole(folder);
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile(),
    );
    files = await Promise.all(
      names.map(async ({ parentPath, name }) => ({
        name,
        bytes: await readFile(path.join(parentPath, name)),
      })),
    );
    return () => rm(folder, { recursive: true });
  });
  const textOf = (ending: string) =>
    files
      .filter(({ name }) => name.endsWith(ending))
      .map(({ bytes }) => bytes.toString('utf8'))
      .join('\n');

  const isMaths = (name: string) => name.startsWith('maths-worker-');
  const packedBytes = (loaded: typeof files) =>
    loaded.reduce((sum, each) => sum + gzipSync(each.bytes).length, 0);

  test('has less than 120 kB, compressed, for a browser to load', () => {
    const loaded = files.filter(({ name }) => !name.endsWith('.txt') && !isMaths(name));
    const kinds = new Set(loaded.map(({ name }) => path.extname(name)));
    expect(kinds).toEqual(new Set(['.css', '.html', '.js', '.svg']));
    expect(packedBytes(loaded)).toBeGreaterThan(20_000);
    expect(packedBytes(loaded)).toBeLessThan(mostBytes);
  });

  test('has its reader of formulas in one script of its own, of less than 70 kB', () => {
    const maths = files.filter(({ name }) => isMaths(name));
    expect(maths).toHaveLength(1);
    expect(packedBytes(maths)).toBeLessThan(mostMathsBytes);
    expect(packedBytes(maths)).toBeGreaterThan(20_000);
  });

  test('begins with less than 50 kB of script, compressed', () => {
    const [, entry = ''] = /<script[^>]* src="([^"]*)"/.exec(textOf('.html')) ?? [];
    const loaded = new Set([path.basename(entry)]);
    let bytes = 0;
    for (const name of loaded) {
      const script = files.find((each) => each.name === name)!.bytes;
      bytes += gzipSync(script).length;
      for (const [, needed = ''] of script.toString().matchAll(/(?:from|import)"\.\/([^"]+)"/g))
        loaded.add(needed);
    }
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(firstBytes);
  });

  test('has no script and no style in its page, and names files of its own alone', () => {
    const html = textOf('.html');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/);
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\/console\/assets\/[\w-]+\.(js|css|svg)$/);
    expect(textOf('.css')).not.toMatch(/url\(|@import/);
  });

  test('never turns a text into code or elements', async () => {
    expect(textOf('.js')).not.toMatch(/\beval\(|new Function\(/);
    const sources = globSync('packages/console/**/*.{ts,tsx}', { cwd: root });
    expect(sources.length).toBeGreaterThan(50);
    const makers = /innerHTML|InnerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc/;
    const texts = await Promise.all(sources.map((name) => readFile(path.join(root, name), 'utf8')));
    expect(sources.filter((_, i) => makers.test(texts[i]!))).toEqual([]);
  });

  test('names no file of the machine that built it', () => {
    expect(textOf('.js').includes(root)).toBe(false);
  });

  test('brings the licences of the packages that it is made of', () => {
    expect(textOf('.txt')).toMatch(/^preact [\d.]+$/m);
    expect(textOf('.txt')).toMatch(/^marked [\d.]+$/m);
    expect(textOf('.txt')).toMatch(/^temml [\d.]+$/m);
  });

  test('lists every file that it is made of', () => {
    expect(inputs).toContain('packages/console/pages/ask/ask-page.tsx');
    expect(inputs).toContain('packages/console/styles.css');
    expect(inputs).toContain('packages/client/index.ts');
    expect(inputs.filter((name) => path.isAbsolute(name) || name.startsWith('..'))).toEqual([]);
  });
});
