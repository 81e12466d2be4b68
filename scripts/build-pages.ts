import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { PageFile } from '@errand/pages';
import { root } from './bundle-function.ts';
import { isFresh, recordInputs } from './freshness.ts';

/** Where the service reads its pages. */
export const pagesFolder = path.join(root, 'dist/pages');

const record = path.join(root, 'dist/pages-inputs.json');
const pack = promisify(gzip);

/**
 * Each page is built into a folder: `index.html`, `assets/*` whose names have hashes of their bytes, and other files.
 * A builder resolves with the files that it read. It is loaded when it is needed.
 */
const pages = {
  console: async () => (await import('./build-console.ts')).buildConsole,
  docs: async () => (await import('./build-reference.ts')).buildReference,
};

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Builds the pages that browsers see, unless they are newer than all that they are made of. Several processes may do so at once. */
export default async function buildPages(): Promise<void> {
  if (await isFresh(record)) return;
  const made = path.join(root, 'dist', `pages-${process.pid}`);
  const built = await Promise.all(
    Object.entries(pages).map(async ([name, loadBuilder]) => {
      const buildPage = await loadBuilder();
      return buildPage(path.join(made, name));
    }),
  );
  // Loads the service's code, which a start with fresh pages need not wait for.
  const { manifestName } = await import('@errand/pages');
  const manifest: Record<string, PageFile> = {};
  for (const name of Object.keys(pages)) Object.assign(manifest, await packPage(name, path.join(made, name)));
  await rm(made, { recursive: true });
  await replace(path.join(pagesFolder, manifestName), JSON.stringify(manifest));
  await removeOthers(new Set([manifestName, ...Object.values(manifest).map(({ file }) => file)]));
  await recordInputs(record, [...built.flat(), path.relative(root, import.meta.filename)]);
}

/** Packs what was built of a page into the folder. */
async function packPage(name: string, folder: string): Promise<Record<string, PageFile>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const packed = files.map(async (source): Promise<[string, PageFile]> => {
    const place = path.relative(folder, source).replaceAll(path.sep, '/');
    const type = types[path.extname(source)];
    if (type === undefined) throw new Error(`${source} is of no type that scripts/build-pages.ts knows`);
    const bytes = await readFile(source);
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const file = `${name}/${place}.gz`;
    await replace(path.join(pagesFolder, file), await pack(bytes, { level: constants.Z_BEST_COMPRESSION }));
    const url = place === 'index.html' ? `/${name}` : `/${name}/${place}`;
    return [url, { file, type, etag: `W/"${hash}"`, immutable: place.startsWith('assets/') }];
  });
  return Object.fromEntries(await Promise.all(packed));
}

/** A process that serves the pages sees the old file or the new one, and no half of one. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const made = `${file}.${process.pid}`;
  await writeFile(made, content);
  await rename(made, file);
}

async function removeOthers(kept: ReadonlySet<string>): Promise<void> {
  const found = await readdir(pagesFolder, { recursive: true, withFileTypes: true });
  for (const entry of found.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.relative(pagesFolder, file).replaceAll(path.sep, '/');
    if (!kept.has(place) && !/\.\d+$/.test(place)) await rm(file, { force: true });
  }
}

if (import.meta.main) await buildPages();
