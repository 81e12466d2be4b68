import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { platformFolder } from '../../../scripts/install-sst.ts';
import { type BuildRequest, startCliServer } from './cli-server.ts';
import { createMadeUpCloud, type Resource } from './made-up-cloud.ts';

/** A stage of the stack as SST would ask for it. */
export interface EvaluatedStack {
  app: { name: string; stage: string; removal: string; protect: boolean; providers: Record<string, unknown> };
  resources: Resource[];
  builds: BuildRequest[];
  /** What runs on the developer's machine. */
  live: BuildRequest[];
}

export interface EvaluationOptions {
  /** Settings of a test's own. */
  changes?: object;
  /** As `sst dev` asks for it. */
  dev?: boolean;
  /** As `sst diff` asks for a stage where resources of this type are not made yet: what AWS would say of them is unknown. */
  unmade?: string;
}

interface Evaluation {
  pulumi: {
    runtime: {
      setMocks(mocks: object, project: string, stack: string, preview: boolean): void;
      runInPulumiStack(run: () => unknown): Promise<unknown>;
      disconnect(): Promise<void>;
    };
  };
  run(program: unknown): unknown;
  config: { app(input: { stage: string }): Promise<EvaluatedStack['app']>; run(): unknown };
}

const root = path.resolve(platformFolder, '../..');
const configFile = path.join(root, 'sst.config.ts');
const requireFromPlatform = createRequire(path.join(platformFolder, 'package.json'));
const esbuild = requireFromPlatform('esbuild') as { build(options: BuildOptions): Promise<BuildResult> };

const banner = [
  "import { createRequire as topLevelCreateRequire } from 'module';",
  'const require = topLevelCreateRequire(import.meta.url);',
  'import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url";',
  'const __filename = topLevelFileUrlToPath(import.meta.url);',
  'const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url));',
].join('');

/** SST's globals: each provider under its alias, and its own components. */
function globalsFor(): string {
  const lock = JSON.parse(readFileSync(path.join(root, '.sst/provider-lock.json'), 'utf8')) as {
    alias: string;
    package: string;
  }[];
  const lines = lock.map((provider) => `import * as ${provider.alias} from "${provider.package}";`);
  return [...lines, `import * as sst from "${platformFolder}/src/components";`, ''].join('\n');
}

/** Bundles a program that imports the config, the way SST's command does, and loads it. */
async function load(contents: string, options: BuildOptions): Promise<Evaluation> {
  const outfile = path.join(platformFolder, `evaluate.${process.pid}.${Object.keys(options).length}.mjs`);
  try {
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
    return (await import(pathToFileURL(outfile).href)) as Evaluation;
  } finally {
    rmSync(outfile, { force: true });
  }
}

async function readApp(stage: string, changes: object): Promise<EvaluatedStack['app']> {
  Object.assign(globalThis, { $config: (config: unknown) => config });
  const { config } = await load(`import config from ${JSON.stringify(configFile)}; export { config };`, {
    define: { $input: JSON.stringify({ stage }) },
    plugins: [ourSources('', changes)],
  });
  return { ...(await config.app({ stage })), stage };
}

/** The source; that of the settings with a test's own choices. */
function changed(file: string, changes: object): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('/infra/settings.ts')) return text;
  const chosen = '...stages[stage]';
  if (!text.includes(chosen)) throw new Error('the settings are not chosen by stage any more');
  return text.replace(chosen, `${chosen}, ...${JSON.stringify(changes)}`);
}

const ourSources = (globals: string, changes: object): Plugin => ({
  name: 'our-sources',
  setup(build) {
    build.onLoad({ filter: /\.(js|ts)$/ }, ({ path: file }) =>
      file.includes('/.sst/') || file.includes('/node_modules/')
        ? undefined
        : { contents: globals + changed(file, changes), loader: 'default' },
    );
  },
});

/**
 * Evaluates sst.config.ts for a stage: SST's own components, Pulumi's mocks in place of its engine, a loopback server in
 * place of SST's command. Nothing is sent anywhere. Leans on the insides of SST 4.17.1.
 */
export async function evaluateStack(
  stage: string,
  outFolder: string,
  { changes = {}, dev = false, unmade }: EvaluationOptions = {},
): Promise<EvaluatedStack> {
  const server = await startCliServer(outFolder);
  process.env.SST_SERVER = server.url;
  const app = await readApp(stage, changes);
  const cloud = createMadeUpCloud(unmade);
  const paths = { home: root, root, work: path.join(root, '.sst'), platform: platformFolder };
  const { pulumi, run, config } = await load(
    `import * as pulumi from "@pulumi/pulumi"; import { run } from "${platformFolder}/src/auto/run.ts";
     import config from ${JSON.stringify(configFile)}; export { pulumi, run, config };`,
    {
      inject: [path.join(platformFolder, 'src/shim/run.js')],
      define: {
        $app: JSON.stringify(app),
        $cli: JSON.stringify({ command: dev ? 'dev' : 'deploy', dev, paths, state: { version: {} } }),
        $dev: String(dev),
      },
      plugins: [ourSources(globalsFor(), changes)],
    },
  );
  pulumi.runtime.setMocks(cloud.mocks, app.name, stage, unmade !== undefined);
  await pulumi.runtime.runInPulumiStack(() => run(config.run));
  await pulumi.runtime.disconnect();
  server.close();
  return { app, resources: cloud.resources, builds: server.builds, live: server.live };
}
