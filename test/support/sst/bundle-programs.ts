import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { platformFolder } from '../../../scripts/install-sst.ts';

const root = path.resolve(platformFolder, '../..');
const configFile = JSON.stringify(path.join(root, 'sst.config.ts'));

const banner = [
  "import { createRequire as topLevelCreateRequire } from 'module';",
  'const require = topLevelCreateRequire(import.meta.url);',
  'import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url";',
  'const __filename = topLevelFileUrlToPath(import.meta.url);',
  'const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url));',
].join('');

/** Beside the platform's modules, which the programs import. `app` is read before the stack, as SST's command does. */
export const programFiles = {
  app: path.join(platformFolder, `evaluate-app.${process.pid}.mjs`),
  stack: path.join(platformFolder, `evaluate-stack.${process.pid}.mjs`),
};

/**
 * Bundles sst.config.ts with SST's components the way SST's command does. What differs between evaluations ($app, $cli,
 * $dev, $input, $changes) the programs read from globals, so that two bundles are enough for every stage.
 */
export async function bundlePrograms(): Promise<void> {
  await Promise.all([
    bundle(`import config from ${configFile}; export { config };`, programFiles.app, {
      plugins: [ourSources('')],
    }),
    bundle(
      `import * as pulumi from "@pulumi/pulumi"; import { run } from "${platformFolder}/src/auto/run.ts";
       import config from ${configFile}; export { pulumi, run, config };`,
      programFiles.stack,
      { inject: [path.join(platformFolder, 'src/shim/run.js')], plugins: [ourSources(globals())] },
    ),
  ]);
}

async function bundle(contents: string, outfile: string, options: BuildOptions): Promise<void> {
  const requireFromPlatform = createRequire(path.join(platformFolder, 'package.json'));
  const esbuild = requireFromPlatform('esbuild') as { build(options: BuildOptions): Promise<BuildResult> };
  await esbuild.build({
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    external: [
      '@pulumi/*',
      'undici',
      '@pulumiverse/*',
      '@sst-provider/*',
      '@aws-sdk/*',
      'esbuild',
      'archiver',
      'glob',
      'vite',
    ],
    nodePaths: [path.join(platformFolder, 'node_modules')],
    logLevel: 'silent',
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: 'evaluate.ts' },
    outfile,
    ...options,
  });
}

/** SST's globals: each provider under its alias, and its own components. */
function globals(): string {
  const lock = JSON.parse(readFileSync(path.join(root, '.sst/provider-lock.json'), 'utf8')) as {
    alias: string;
    package: string;
  }[];
  const lines = lock.map((provider) => `import * as ${provider.alias} from "${provider.package}";`);
  return [...lines, `import * as sst from "${platformFolder}/src/components";`, ''].join('\n');
}

/** What an evaluation needs to be different in our sources: a test's own settings, and assets that are built already. */
const replacements: Record<string, [string, string]> = {
  'infra/settings.ts': ['...stages[stage]', '...stages[stage], ...globalThis.$changes'],
  'infra/assets.ts': ["runScript('build-assets.ts')", 'undefined'],
};

function sourceOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  const [part, replacement] = replacements[path.relative(root, file)] ?? ['', ''];
  if (!text.includes(part)) throw new Error(`${file} has no "${part}" any more`);
  return part === '' ? text : text.replace(part, replacement);
}

const ourSources = (before: string): Plugin => ({
  name: 'our-sources',
  setup(build) {
    build.onLoad({ filter: /\.(js|ts)$/ }, ({ path: file }) =>
      file.includes('/.sst/') || file.includes('/node_modules/')
        ? undefined
        : { contents: before + sourceOf(file), loader: 'default' },
    );
  },
});
