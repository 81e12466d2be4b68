import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { functionShapes } from '../../../infra/functions.ts';
import { assetsFolder, bundleFunction, root } from '../../../scripts/bundle-function.ts';
import { bundlePrograms, programFiles } from '../sst/bundle-programs.ts';
import type { EvaluationOptions } from '../sst/evaluate.ts';
import { createEvaluator } from '../sst/evaluator.ts';
import { bundleService } from './bundle-service.ts';

/** A function's code as it is deployed, or as `sst dev` builds it. */
type BundleKind = 'deployed' | 'live';

/** Things that tests read and never change. Each is made once, when a test first asks for it. */
export interface Builds {
  /** A folder with `bundle.mjs`, its chunks, and `metafile.json`. */
  bundle(name: string, kind: BundleKind): Promise<string>;
  /** A folder with a file `<name>.mjs` for each function, which has all its code and is not minified, and `metafile.json`. */
  readable(): Promise<string>;
  /** A folder with the files that are deployed next to functions' bundles. */
  assets(): Promise<string>;
  /**
   * A folder with programs as bundles: `local.mjs`, the service; `admin.mjs` and `smoke.mjs`, its operator's; `errand.mjs`, its
   * callers'; `worker.mjs`, a worker process of `test/faults`. It stays, and is made again when its sources have changed.
   */
  service(): Promise<string>;
  /** A file with the evaluated stage; rejects with what the evaluation complained about. */
  stack(stage: string, options: EvaluationOptions): Promise<string>;
}

const run = promisify(execFile);

const bundleOptions = {
  deployed: {},
  live: { minify: false, sourcemap: true },
} as const satisfies Record<BundleKind, object>;

/** All but the assets and the service is made in folders of its own, which `remove` removes, and so does the end of the process. */
export function createBuilds(): Builds & { remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-builds-'));
  const programs = once(() => bundlePrograms());
  // The assets are made where a deploy makes them, because an evaluated stack looks for its copies there.
  const assets = once(async () => {
    await run(process.execPath, ['scripts/build-assets.ts'], { cwd: root });
    return assetsFolder;
  });
  const evaluator = createEvaluator();
  const remove = () => {
    evaluator.stop();
    for (const made of [folder, ...Object.values(programFiles)])
      rmSync(made, { recursive: true, force: true });
  };
  process.once('exit', remove);
  let stacks = 0;
  return {
    assets,
    readable: once(() => bundleReadable(path.join(folder, 'readable'))),
    bundle: once(async (name: string, kind: BundleKind) => {
      const outFolder = path.join(folder, `${name}-${kind}`);
      const { metafile } = await bundleFunction({
        entry: `functions/${name}.ts`,
        outFolder,
        ...bundleOptions[kind],
      });
      await writeFile(path.join(outFolder, 'metafile.json'), JSON.stringify(metafile));
      return outFolder;
    }),
    service: once(bundleService),
    stack: once(async (stage: string, options: EvaluationOptions) => {
      // An evaluation builds no assets, and fails without them.
      await Promise.all([programs(), assets()]);
      const file = path.join(folder, `stack-${++stacks}.json`);
      await evaluator.write({ file, evaluation: { programs: programFiles, stage, options } });
      return file;
    }),
    remove,
  };
}

/** One build, which reads each source once for all functions. */
async function bundleReadable(outFolder: string): Promise<string> {
  const entry = Object.fromEntries(Object.keys(functionShapes).map((name) => [name, `functions/${name}.ts`]));
  const { metafile } = await bundleFunction({ entry, outFolder, minify: false, splitting: false });
  await writeFile(path.join(outFolder, 'metafile.json'), JSON.stringify(metafile));
  return outFolder;
}

/** Calls with the same arguments share one promise, also when it rejects. */
function once<Arguments extends unknown[], Made>(make: (...given: Arguments) => Promise<Made>) {
  const made = new Map<string, Promise<Made>>();
  return (...given: Arguments): Promise<Made> => {
    const key = JSON.stringify(given);
    const making = made.get(key) ?? make(...given);
    made.set(key, making);
    return making;
  };
}
