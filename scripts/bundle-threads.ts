import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { bundleThread, root, threadPrograms } from './bundle-function.ts';
import { isFresh, recordInputs } from './freshness.ts';

const folder = path.join(root, 'dist/threads');
const record = path.join(folder, 'inputs.json');

/**
 * Bundles the programs of worker threads for a process that runs the sources, unless the bundles are newer than all that
 * they are made of. Node strips types with WebAssembly of its own; others report that V8 crashes when several threads load
 * that at the same time, and test processes here have died of SIGSEGV. A thread that runs a bundle also starts in a quarter of the time.
 */
export default async function bundleThreads(): Promise<void> {
  if (await isFresh(record)) return;
  const made = path.join(folder, String(process.pid));
  await mkdir(made, { recursive: true });
  const results = await Promise.all(
    threadPrograms.map((entry) => bundleThread(entry, { outFolder: made, minify: false })),
  );
  for (const entry of threadPrograms) {
    const name = `${path.basename(entry, '.ts')}.mjs`;
    await rename(path.join(made, name), path.join(folder, name));
  }
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await recordInputs(path.join(made, 'inputs.json'), inputs);
  await rename(path.join(made, 'inputs.json'), record);
  await rm(made, { recursive: true });
}

if (import.meta.main) await bundleThreads();
