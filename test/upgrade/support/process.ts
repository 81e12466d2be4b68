import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { builds } from '../../support/builds/index.ts';

export const ownCheckout = path.resolve(import.meta.dirname, '../../..');

/** The folder of the release that reads the fixtures. */
export const readingCheckout = process.env.UPGRADE_CHECKOUT ?? ownCheckout;

export interface Where {
  /** The folder of the release that is started. */
  checkout: string;
  env: Record<string, string>;
}

export interface ServiceProcess {
  child: ChildProcess;
  baseUrl: string | undefined;
  /** The log so far, each line parsed. */
  log(): Record<string, unknown>[];
  kill(): Promise<void>;
}

/** The words that start a program, with what is preloaded so that it may have another clock than the machine. */
const program = async (checkout: string, name: 'local' | 'admin') => [
  '--import',
  path.join(ownCheckout, 'test/storm/shifted-clock.ts'),
  checkout === ownCheckout
    ? path.join(await builds.service(), `${name}.mjs`)
    : path.join(checkout, `packages/${name}/main.ts`),
];

const environment = (env: Record<string, string>) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PORT: '0',
  ...env,
});

/** Starts the service of a checkout, or one part of it. */
export async function startProcess({ checkout, env }: Where, only?: string): Promise<ServiceProcess> {
  const words = [...(await program(checkout, 'local')), ...(only ? ['--only', only] : [])];
  const child = spawn(process.execPath, words, { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const killed = () => void child.kill('SIGKILL');
  process.once('exit', killed);
  const ended = once(child, 'close').finally(() => process.off('exit', killed));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const running = new Promise<string | undefined>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const said = /^Errand(?:'s \w+)? is running(?: at (\S+))?/.exec(line);
      if (said) resolve(said[1]);
    });
  });
  const failed = ended.then((): never => {
    throw new Error(`the service ended: ${stderr}`);
  });
  failed.catch(() => {});
  const baseUrl = await Promise.race([running, failed]);
  return {
    child,
    baseUrl,
    log: () => stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs an admin command of a checkout against the service that runs on the data folder. */
export async function runAdmin<T>({ checkout, env }: Where, ...line: string[]): Promise<T> {
  const words = [...(await program(checkout, 'admin')), ...line, '--json'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      words,
      { env: environment(env), maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (stdout === '') reject(error ?? new Error(stderr));
        else resolve(JSON.parse(stdout) as T);
      },
    );
  });
}

/** What the running service says of itself in its data folder. */
export const readServiceFile = async (dataDir: string) =>
  JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    apiKey: string;
    accountId: string;
    pid: number;
    endpoints: { dynamodb: string; sqs: string; s3: string };
  };
