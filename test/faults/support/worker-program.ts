import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleFunction, bundleThread, threadPrograms } from '../../../scripts/bundle-function.ts';

let program: Promise<string> | undefined;

/** The file of a worker process as one bundle: it starts in a third of the CPU time that the sources take. Built once. */
export function workerProgram(): Promise<string> {
  program ??= bundleProgram();
  return program;
}

async function bundleProgram(): Promise<string> {
  const outFolder = mkdtempSync(path.join(tmpdir(), 'errand-worker-'));
  process.once('exit', () => rmSync(outFolder, { recursive: true, force: true }));
  const options = { outFolder, minify: false, splitting: false };
  await Promise.all([
    bundleFunction({ ...options, entry: 'test/faults/support/worker-process.ts', name: 'worker-process' }),
    ...threadPrograms.map((entry) => bundleThread(entry, options)),
  ]);
  return path.join(outFolder, 'worker-process.mjs');
}
