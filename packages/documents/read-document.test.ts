import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

import { readFixture, readWhole, wholeReading } from './test-support/fixtures.ts';

test('the bytes are moved to the worker, unless others share their buffer', async () => {
  const whole = new TextEncoder().encode('whole');
  await readWhole({ bytes: whole, extension: '.txt' });
  expect(whole.byteLength).toBe(0);
  const shared = new TextEncoder().encode('a part of more');
  const { text } = await readWhole({ bytes: shared.subarray(2, 6), extension: '.txt' });
  expect({ text, left: shared.byteLength }).toEqual({ text: 'part', left: 14 });
  const pooled = Buffer.from('pooled');
  expect((await readWhole({ bytes: pooled, extension: '.txt' })).text).toBe('pooled');
});

test('many conversions at once all end, each with its own text', async () => {
  const texts = Array.from({ length: 7 }, (_, index) => `text ${index}`);
  const conversions = texts.map((text) =>
    readWhole({ bytes: new TextEncoder().encode(text), extension: '.txt' }),
  );
  expect((await Promise.all(conversions)).map(({ text }) => text)).toEqual(texts);
});

test('the event loop is free while a document is converted', async () => {
  let turns = 0;
  let converting = true;
  const turn = (): void => {
    turns++;
    if (converting) setImmediate(turn);
  };
  turn();
  await readWhole({ bytes: readFixture('office.pdf'), extension: '.pdf' });
  converting = false;
  expect(turns).toBeGreaterThan(10);
});

test('an aborted conversion rejects with the reason, before, while waiting and while it runs', async () => {
  const reason = new Error('left');
  const convert = (signal: AbortSignal) =>
    readWhole({ bytes: readFixture('office.pdf'), extension: '.pdf', signal });
  await expect(convert(AbortSignal.abort(reason))).rejects.toBe(reason);
  const controllers = [1, 2, 3, 4].map(() => new AbortController());
  const results = Promise.allSettled(controllers.map(({ signal }) => convert(signal)));
  await new Promise((resolve) => setImmediate(resolve));
  for (const controller of controllers) controller.abort(reason);
  expect(await results).toEqual(controllers.map(() => ({ status: 'rejected', reason })));
});

test('bundled and split by esbuild, the worker is found beside the bundle', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'));
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  try {
    await build({
      entryPoints: { api: path('index.ts'), 'convert-worker': path('convert-worker.ts') },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const bundle = (await import(pathToFileURL(join(folder, 'api.mjs')).href)) as typeof import('./index.ts');
    for (const name of ['office.docx', 'office.pdf', 'pandoc.html']) {
      const extension = name.slice(name.indexOf('.'));
      const bytes = readFixture(name);
      const { shown } = await bundle.readDocument({}, { bytes, extension, reading: wholeReading });
      expect(shown.text).toContain('Harbour Report');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
