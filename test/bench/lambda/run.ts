import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { buildAssets } from '../../../scripts/build-assets.ts';
import { assetsFolder, bundleFunction } from '../../../scripts/bundle-function.ts';
import { type BundleSizes, measureBundle } from '../../support/lambda/bundles.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';
import { startBundle } from '../functions.ts';

const rounds = 15;

/** Milliseconds from the start of the process until it asks for work: what a cold start adds on this machine. */
async function initTime(folder: string): Promise<number> {
  const startedAt = performance.now();
  const started = await startBundle(folder);
  const time = performance.now() - startedAt;
  await started.stop();
  return time;
}

/** Starts the functions in turn, so that other work on the machine slows all of them alike. */
async function initTimes(folders: readonly string[]): Promise<number[]> {
  const times = folders.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, folder] of folders.entries()) times[i]!.push(await initTime(folder));
  return times.map((each) => percentiles(each).p50);
}

/** Makes the function's folder as Lambda has it. */
async function lay(name: FunctionName, own: string): Promise<BundleSizes> {
  const sizes = await measureBundle(name, own);
  for (const asset of functionShapes[name].assets)
    await cp(path.join(assetsFolder, asset), path.join(own, asset), { recursive: true });
  return sizes;
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

/** Measures the sizes of the functions' bundles, and how long the functions take to start. */
export default async function run(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  const names = Object.keys(functionShapes) as FunctionName[];
  const folderOf = (name: string) => path.join(folder, name);
  await buildAssets();
  await bundleFunction({ entry: 'test/bench/lambda/bare.ts', outFolder: folderOf('bare') });
  const sizes: BundleSizes[] = [];
  for (const name of names) sizes.push(await lay(name, folderOf(name)));
  const [bare = Number.NaN, ...times] = await initTimes(['bare', ...names].map(folderOf));
  printTable(
    ['function', 'minified code at init', 'loaded when needed', 'init p50', 'times a bare handler'],
    [
      ['bare Hono handler, same SDK clients', '', '', milliseconds(bare), '1.00'],
      ...names.map((name, i) => [
        name,
        kilobytes(sizes[i]!.initBytes),
        kilobytes(sizes[i]!.lazy.reduce((sum, { bytes }) => sum + bytes, 0)),
        milliseconds(times[i]!),
        (times[i]! / bare).toFixed(2),
      ]),
    ],
  );
  await rm(folder, { recursive: true, force: true });
}
