import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { bundleFunction, root, threadPrograms } from '../../../scripts/bundle-function.ts';
import bundleThreads from '../../../scripts/bundle-threads.ts';

/** The file of a worker process as a bundle: it starts in a third of the CPU time that the sources take. */
export async function bundleWorker(outFolder: string): Promise<string> {
  await mkdir(outFolder, { recursive: true });
  await bundleThreads();
  const threads = threadPrograms.map((entry) => `${path.basename(entry, '.ts')}.mjs`);
  await Promise.all([
    bundleFunction({
      entry: 'test/faults/support/worker-process.ts',
      outFolder,
      name: 'worker-process',
      minify: false,
    }),
    ...threads.map((file) => copyFile(path.join(root, 'dist/threads', file), path.join(outFolder, file))),
  ]);
  return path.join(outFolder, 'worker-process.mjs');
}
