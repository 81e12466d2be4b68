import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { platformFolder } from '../../../scripts/install-sst.ts';
import { type BuildRequest, startCliServer } from './cli-server.ts';
import { createMadeUpCloud, type Resource } from './made-up-cloud.ts';
import { type Monitor, noteRequests } from './note-requests.ts';

/** A stage of the stack as SST would ask for it. */
export interface EvaluatedStack {
  app: { name: string; stage: string; removal: string; protect: boolean; providers: Record<string, unknown> };
  /** What the deploy prints at its end. */
  outputs: Record<string, unknown>;
  /** What it warns of. */
  said: string[];
  resources: Resource[];
  builds: BuildRequest[];
  /** Functions that would run on the developer's machine. */
  live: BuildRequest[];
}

export interface EvaluationOptions {
  /** Settings that the test changes. */
  changes?: object;
  /** What the operator has set with `sst secret set`, besides the key of the catalogue. */
  secrets?: Record<string, string>;
  /** Evaluates as `sst dev` does. */
  dev?: boolean;
  /**
   * Evaluates as `sst diff` does on a stage where resources of this type do not exist yet: the outputs that AWS would add
   * are unknown.
   */
  unmade?: string;
  /** Answers in place of AWS what the account has. Default: nothing answers, as where a deploy may not ask. */
  accountUrl?: string;
}

export interface Evaluation {
  /** The bundles of sst.config.ts. */
  programs: { app: string; stack: string };
  stage: string;
  options: EvaluationOptions;
}

interface Config {
  app(input: { stage: string }): Promise<EvaluatedStack['app']>;
  run(): unknown;
}

interface StackProgram {
  pulumi: {
    output(value: unknown): { apply(read: (known: EvaluatedStack['outputs']) => void): unknown };
    runtime: {
      setMocks(mocks: object, project: string, stack: string, preview: boolean): void;
      getMonitor(): Monitor;
      runInPulumiStack(run: () => unknown): Promise<unknown>;
      disconnect(): Promise<void>;
    };
  };
  run(program: unknown): unknown;
  config: Config;
}

const root = path.resolve(platformFolder, '../..');

interface PulumiState {
  /** What Pulumi knows of the stack that the work makes is the work's alone. */
  withLocalStorage<T>(work: () => T): T;
}

const withLocalStorage: PulumiState['withLocalStorage'] = (work) => {
  const requireFromPlatform = createRequire(path.join(platformFolder, 'package.json'));
  return (requireFromPlatform('@pulumi/pulumi/runtime/state') as PulumiState).withLocalStorage(work);
};

/** Loads a program anew for each evaluation: its modules keep state. */
const load = async <T>(file: string, evaluation: number): Promise<T> =>
  (await import(`${pathToFileURL(file).href}?${evaluation}`)) as T;

let evaluations = 0;

async function readApp({ programs, stage }: Evaluation, number: number): Promise<EvaluatedStack['app']> {
  Object.assign(globalThis, { $config: (config: unknown) => config, $input: { stage } });
  const { config } = await load<{ config: Config }>(programs.app, number);
  return { ...(await config.app({ stage })), stage };
}

/** Where SST's command leaves what `sst secret set` was given. */
function setSecrets(secrets: Record<string, string>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('SST_SECRET_')) delete process.env[name];
  for (const [name, value] of Object.entries(secrets)) process.env[`SST_SECRET_${name}`] = value;
}

/**
 * Evaluates sst.config.ts for a stage: SST's own components, Pulumi's mocks in place of its engine, a loopback server in
 * place of SST's command. Nothing is sent anywhere. Depends on internals of SST 4.17.1. One at a time in a process: SST keeps
 * the stage in globals.
 */
export const evaluateStack = (evaluation: Evaluation, outFolder: string): Promise<EvaluatedStack> =>
  withLocalStorage(() => evaluateInStore(evaluation, outFolder));

async function evaluateInStore(evaluation: Evaluation, outFolder: string): Promise<EvaluatedStack> {
  const { programs, stage, options } = evaluation;
  const { changes = {}, dev = false, unmade, accountUrl = 'http://127.0.0.1:9' } = options;
  Object.assign(globalThis, { $changes: changes });
  const server = await startCliServer(outFolder);
  process.env.SST_SERVER = server.url;
  for (const service of ['LAMBDA', 'DYNAMODB']) process.env[`AWS_ENDPOINT_URL_${service}`] = accountUrl;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing' });
  setSecrets({ OpenaiApiKey: 'a key', ...options.secrets });
  const number = ++evaluations;
  const app = await readApp(evaluation, number);
  const paths = { home: root, root, work: path.join(root, '.sst'), platform: platformFolder };
  const $cli = { command: dev ? 'dev' : 'deploy', dev, paths, state: { version: {} } };
  Object.assign(globalThis, { $app: app, $cli, $dev: dev });
  const cloud = createMadeUpCloud(unmade);
  const { pulumi, run, config } = await load<StackProgram>(programs.stack, number);
  pulumi.runtime.setMocks(cloud.mocks, app.name, stage, unmade !== undefined);
  const notes = noteRequests(pulumi.runtime.getMonitor());
  let outputs: Record<string, unknown> = {};
  const said: string[] = [];
  console.warn = (text: string) => void said.push(text);
  await pulumi.runtime.runInPulumiStack(() =>
    run(async () => {
      const given = (await config.run()) ?? {};
      pulumi.output(given).apply((known) => {
        outputs = known;
      });
      return given;
    }),
  );
  await pulumi.runtime.disconnect();
  server.close();
  const resources = cloud.resources.map((resource) => ({ ...resource, ...notes.of(resource) }));
  return { app, outputs, said, resources, builds: server.builds, live: server.live };
}
