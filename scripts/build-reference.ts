import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './bundle-function.ts';

const sources = path.join(root, 'packages/pages/reference');
const library = path.join(root, 'node_modules/swagger-ui-dist');

/** What must come along with the library's code. */
const licences = {
  LICENSE: 'licence.txt',
  NOTICE: 'notice.txt',
  'swagger-ui-es-bundle.js.LICENSE.txt': 'licences-of-parts.txt',
};

/** Builds the page of the API reference into the folder. Returns the files that it was made of, as paths from the root. */
export async function buildReference(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['reference.js', 'reference.css'].map((name) => path.join(sources, name)),
    outdir: path.join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  const page = path.join(sources, 'index.html');
  let html = await readFile(page, 'utf8');
  for (const output of Object.keys(metafile.outputs)) {
    const name = path.basename(output);
    html = html.replace(`"${name.replace(/-\w+(?=\.\w+$)/, '')}"`, `"/docs/assets/${name}"`);
  }
  await writeFile(path.join(folder, 'index.html'), html);
  for (const [from, to] of Object.entries(licences))
    await copyFile(path.join(library, from), path.join(folder, to));
  const others = [sources, page, import.meta.filename];
  return [...Object.keys(metafile.inputs), ...others.map((file) => path.relative(root, file))];
}
