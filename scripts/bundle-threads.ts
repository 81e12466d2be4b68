import path from 'node:path';
import { bundleThread, root, threadPrograms } from './bundle-function.ts';
import { fillFolder } from './freshness.ts';

export const threadsFolder = path.join(root, 'dist/threads');

/**
 * Bundles the programs of worker threads for a process that runs the sources, unless the bundles are newer than all that
 * they are made of. Node strips types with WebAssembly of its own; others report that V8 crashes when several threads load
 * that at the same time, and test processes here have died of SIGSEGV. A thread that runs a bundle also starts in a quarter of the time.
 */
export default function bundleThreads(): Promise<void> {
  return fillFolder(threadsFolder, async (made) => {
    const results = await Promise.all(
      threadPrograms.map((entry) => bundleThread(entry, { outFolder: made, minify: false })),
    );
    const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
    // Which names the programs.
    return [...inputs, 'scripts/bundle-function.ts'];
  });
}

if (import.meta.main) await bundleThreads();
