import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleFunction } from '../../../scripts/bundle-function.ts';

let program: Promise<string> | undefined;

/** The file of a worker process as one bundle: it starts in a third of the CPU time that the sources take. Built once. */
export function workerProgram(): Promise<string> {
  program ??= bundleProgram();
  return program;
}

async function bundleProgram(): Promise<string> {
  const outFolder = mkdtempSync(path.join(tmpdir(), 'errand-worker-'));
  process.once('exit', () => rmSync(outFolder, { recursive: true, force: true }));
  const bundle = (entry: string, name: string) =>
    bundleFunction({ entry, outFolder, name, minify: false, splitting: false });
  await Promise.all([
    bundle('test/faults/support/worker-process.ts', 'worker-process'),
    bundle('packages/documents/convert-worker.ts', 'convert-worker'),
  ]);
  return path.join(outFolder, 'worker-process.mjs');
}
