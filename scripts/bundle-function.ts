import path from 'node:path';
import { type BuildResult, build } from 'esbuild';

export const root = path.resolve(import.meta.dirname, '..');

/** The folder of files that are deployed beside functions' bundles. */
export const assetsFolder = path.join(root, 'dist/assets');

/** SST 4.17.1 puts this before the code of every function. */
const banner = [
  "import { createRequire as topLevelCreateRequire } from 'module';",
  'const require = topLevelCreateRequire(import.meta.url);',
  'import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url"',
  'const __filename = topLevelFileUrlToPath(import.meta.url)',
  'const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url))',
].join('\n');

export interface BundleOptions {
  /** Path from the repository's root, such as `functions/chat.ts`, or paths by the names of their bundles, which share chunks. */
  entry: string | Record<string, string>;
  outFolder: string;
  /** Name of the bundle without its extension. Chunks that are loaded later lie beside it. */
  name?: string;
  minify?: boolean;
  sourcemap?: boolean;
  /** False puts everything into one file. */
  splitting?: boolean;
  /** Packages that are loaded from `node_modules`. */
  external?: readonly string[];
}

/** The programs of worker threads. Each is a file of its own beside the bundles of the functions that start it. */
export const threadPrograms = [
  'packages/documents/convert-worker.ts',
  'packages/web/page/page-worker.ts',
  'packages/passages/passages-worker.ts',
  'packages/models/count-worker.ts',
  'packages/outputs/problems-worker.ts',
] as const;

export const bundleThread = (
  entry: (typeof threadPrograms)[number],
  options: Pick<BundleOptions, 'outFolder' | 'minify'>,
) => bundleFunction({ ...options, entry, name: path.basename(entry, '.ts'), splitting: false });

/**
 * Bundles a function as SST 4.17.1 does for `nodejs24.x` with `minify` and `splitting` (its pkg/runtime/node/build.go),
 * so that what is tested is what is deployed.
 */
export function bundleFunction(options: BundleOptions): Promise<BuildResult<{ metafile: true }>> {
  const {
    entry,
    outFolder,
    name = 'bundle',
    minify = true,
    sourcemap = false,
    splitting = true,
    external = [],
  } = options;
  return build({
    absWorkingDir: root,
    entryPoints: typeof entry === 'string' ? { [name]: entry } : entry,
    outdir: outFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting,
    minify,
    sourcemap,
    keepNames: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'es2024',
    mainFields: ['module', 'main'],
    external: ['sharp', 'pg-native', ...external],
    banner: { js: banner },
    logLevel: 'error',
  });
}
