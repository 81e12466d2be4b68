import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'packages/client');

/** Where a package is made that can be published as it is: `npm publish packages/client/dist`. */
const clientPackage = path.join(source, 'dist');

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  metafile: true,
  legalComments: 'inline',
};

const bundleLibrary = (folder: string) =>
  build({
    ...shared,
    entryPoints: [path.join(source, 'index.ts')],
    outfile: path.join(folder, 'index.js'),
    platform: 'neutral',
    target: 'es2022',
    external: ['openapi-fetch'],
  });

const bundleCommandLine = (folder: string) =>
  build({
    ...shared,
    entryPoints: [path.join(source, 'errand.ts')],
    outfile: path.join(folder, 'errand.js'),
    platform: 'node',
    target: 'node20',
    minify: true,
    external: ['openapi-fetch'],
    // Packages in CommonJS ask for Node's modules in their own way.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });

const writeTypes = (folder: string) =>
  promisify(execFile)(process.execPath, [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    ...['-p', path.join(source, 'tsconfig.build.json'), '--outDir', path.join(folder, 'types')],
  ]);

/** The licences of what is bundled ask to go along with it. */
async function readLicences(bundles: readonly { metafile?: Metafile | undefined }[]): Promise<string> {
  const files = bundles.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = [...new Set(names)].sort().map(async (name) => {
    const text = await readFile(path.join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n---\n\n');
}

async function writeManifest(folder: string): Promise<void> {
  const { private: _, ...manifest } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
  const published = {
    ...manifest,
    types: './types/index.d.ts',
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    bin: { errand: 'errand.js' },
    files: ['index.js', 'errand.js', 'types', 'LICENSE', 'LICENSES-OF-BUNDLED-PACKAGES'],
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

/** Makes the package: the library, the command, types, and what belongs to them. */
export async function buildClient(folder = clientPackage): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bundles = await Promise.all([bundleLibrary(folder), bundleCommandLine(folder)]);
  await Promise.all([
    writeTypes(folder),
    writeManifest(folder),
    chmod(path.join(folder, 'errand.js'), 0o755),
    copyFile(path.join(source, 'README.md'), path.join(folder, 'README.md')),
    copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE')),
    readLicences(bundles).then((text) => writeFile(path.join(folder, 'LICENSES-OF-BUNDLED-PACKAGES'), text)),
  ]);
}

if (import.meta.main) await buildClient();
