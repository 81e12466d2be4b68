import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { bundleFunction, root } from '../../../scripts/bundle-function.ts';
import bundleThreads, { threadsFolder } from '../../../scripts/bundle-threads.ts';
import { fillFolder } from '../../../scripts/freshness.ts';

/** As deep in the repository as the sources are: they look for pages and packages from where they lie. */
const folder = path.join(root, 'dist/service');

/** Programs that tests start often, by the names of their bundles. */
const programs = {
  local: 'packages/local/main.ts',
  admin: 'packages/admin/main.ts',
  smoke: 'packages/smoke/main.ts',
  errand: 'packages/client/errand.ts',
  worker: 'test/faults/support/worker-process.ts',
};

/** A folder with the programs as bundles: they start in two thirds of the CPU time that the sources take, or less. */
export async function bundleService(): Promise<string> {
  await bundleThreads();
  const threads = (await readdir(threadsFolder)).filter((name) => name.endsWith('.mjs'));
  await fillFolder(folder, async (made) => {
    const { metafile } = await bundleFunction({
      entry: programs,
      outFolder: made,
      minify: false,
      // The service takes a module from inside of it, too, which must know the same classes.
      external: ['fauxqs'],
    });
    for (const name of threads) await copyFile(path.join(threadsFolder, name), path.join(made, name));
    return [
      ...Object.keys(metafile.inputs),
      ...threads.map((name) => path.relative(root, path.join(threadsFolder, name))),
      path.relative(root, import.meta.filename),
    ];
  });
  return folder;
}
