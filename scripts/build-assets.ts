import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp } from '@errand/service';
import buildPages, { pagesFolder } from './build-pages.ts';
import { assetsFolder, bundleThread, threadPrograms } from './bundle-function.ts';

/** The OpenAPI document of all areas. No single function has all routes. Needs no AWS. */
export async function writeOpenApi(): Promise<string> {
  const parts = createServiceDeps({
    config: readConfig('local', {}),
    catalogue: { models: [], roles: {} },
    clock: systemClock,
    log: silentLog,
  });
  const response = await createWholeApp(parts).request('/openapi.json');
  if (response.status !== 200) throw new Error(`openapi.json: ${response.status}`);
  return response.text();
}

/** Makes the files beside the functions' bundles: the programs of worker threads, the OpenAPI document and the pages. */
export async function buildAssets(): Promise<void> {
  await mkdir(assetsFolder, { recursive: true });
  const file = path.join(assetsFolder, 'openapi.json');
  await writeFile(`${file}.${process.pid}`, await writeOpenApi());
  await rename(`${file}.${process.pid}`, file);
  await Promise.all([
    ...threadPrograms.map((entry) => bundleThread(entry, { outFolder: assetsFolder })),
    copyPages(path.join(assetsFolder, 'pages')),
  ]);
}

async function copyPages(folder: string): Promise<void> {
  await buildPages();
  await rm(folder, { recursive: true, force: true });
  await cp(pagesFolder, folder, { recursive: true });
}

if (import.meta.main) await buildAssets();
