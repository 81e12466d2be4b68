import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localTableNames } from '@errand/platform';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { assetsFolder, buildAssets } from '../../../scripts/build-assets.ts';
import { bundleFunction } from '../../../scripts/bundle-function.ts';
import { measureBundle } from '../../support/lambda/bundles.ts';
import { startFunction } from '../../support/lambda/start-function.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';

const rounds = 15;

const environment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  TABLE_NAMES: JSON.stringify(localTableNames),
  QUEUE_URL: 'http://127.0.0.1:1/queue',
  BUCKET_NAME: 'bench',
  LINK_SECRET: 'a secret that links are signed with, in benchmarks',
  ORIGIN_SECRET: 'a secret that the router adds to requests, in benchmarks',
  MODEL_CATALOGUE: 'catalogue.json',
};

/** From the start of the process to its first question for work: what a cold start adds on this machine. */
async function initTimes(folder: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const started = await startFunction({ folder, environment });
    times.push(performance.now() - startedAt);
    await started.stop();
  }
  return times;
}

/** Sizes of the functions' bundles, and how long they take to start. */
export default async function run(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  await buildAssets();
  const bare = path.join(folder, 'bare');
  await bundleFunction({ entry: 'test/bench/lambda/bare.ts', outFolder: bare });
  const base = percentiles(await initTimes(bare)).p50;
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  const rows = [];
  for (const name of Object.keys(functionShapes) as FunctionName[]) {
    const own = path.join(folder, name);
    const sizes = await measureBundle(name, own);
    for (const asset of functionShapes[name].assets)
      await copyFile(path.join(assetsFolder, asset), path.join(own, asset));
    await writeFile(
      path.join(own, 'catalogue.json'),
      JSON.stringify(simpleCatalogue('http://127.0.0.1:1/v1')),
    );
    const init = percentiles(await initTimes(own)).p50;
    const lazy = sizes.lazy.reduce((sum, { bytes }) => sum + bytes, 0);
    rows.push([
      name,
      kilobytes(sizes.initBytes),
      kilobytes(lazy),
      milliseconds(init),
      (init / base).toFixed(2),
    ]);
  }
  printTable(
    ['function', 'minified code at init', 'loaded when needed', 'init p50', 'times a bare handler'],
    [['bare Hono handler, same SDK clients', '', '', milliseconds(base), '1.00'], ...rows],
  );
  await rm(folder, { recursive: true, force: true });
}
