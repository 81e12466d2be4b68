import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionShapes } from '../../infra/functions.ts';
import type { FunctionName } from '../../infra/permissions.ts';
import type { Settings } from '../../infra/settings.ts';
import { assetsFolder, bundleFunction, root } from '../bundle-function.ts';
import { added } from '../check-settings.ts';
import { readKeyNames } from './check-before.ts';

/** Loads a bundle as Lambda's runtime does, which has this global. */
const loading = `globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: {} };
const { handler } = await import('./bundle.mjs');
if (typeof handler !== 'function') throw new Error('it has no handler');
process.exit(0);`;

/** Throws if the bundle in a folder, with all that is deployed beside it, does not start with the stage's settings. */
export function loadBundle(name: string, folder: string, settings: Settings): void {
  const keys = readKeyNames(settings).map((key) => [key, 'key']);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', loading], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...settings.environment,
      ...added,
      ...Object.fromEntries(keys),
      AWS_REGION: settings.region,
      LOCATION: settings.region.slice(0, 2),
      METRICS_NAMESPACE: 'Errand',
      PUBLIC_URL: 'https://api.example.com',
      ORIGIN_SECRET: added.LINK_SECRET,
      CONVERTER_FUNCTION: 'converter',
      MODEL_CATALOGUE: 'catalogue.json',
    },
  });
  if (status === 0) return;
  // What a function tells before it ends is in its log, which has no text of errors.
  const reason = /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? `${stdout}${stderr}`.trim().split('\n').at(-1);
  throw new Error(`the bundle of ${name} does not start: ${reason}`);
}

/** Bundles all functions as SST does, and loads each. The assets must have been made. */
export async function loadBundles(settings: Settings): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-deploy-'));
  try {
    for (const [name, { assets, models }] of Object.entries(functionShapes)) {
      const own = path.join(folder, name);
      await bundleFunction({ entry: `functions/${name as FunctionName}.ts`, outFolder: own });
      for (const asset of assets)
        await cp(path.join(assetsFolder, asset), path.join(own, asset), { recursive: true });
      if (models) await cp(path.join(root, settings.catalogue), path.join(own, 'catalogue.json'));
      loadBundle(name, own, settings);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
