import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ServiceProcesses {
  baseUrl: string;
  apiKey: string;
  /** The process that serves the API and nothing else. */
  apiPid: number;
  api: ChildProcess;
  awsPid: number;
  endpoints: Record<'dynamodb' | 'sqs' | 's3', string>;
  stop(): Promise<void>;
}

interface ProcessOptions {
  /** The folder of a checkout. Default: this one. */
  root?: string;
  env?: Record<string, string>;
  /** A module that the API's process loads before its own; messages go between it and this process. */
  preload?: string;
}

const startMilliseconds = 60_000;

/** Starts AWS and the API in processes of their own, on a new data folder. */
export async function startProcesses({
  root = path.resolve(import.meta.dirname, '../..'),
  env: more,
  preload,
}: ProcessOptions = {}): Promise<ServiceProcesses> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', ...more };
  const children: ChildProcess[] = [];
  const start = (part: string, loaded?: string) => {
    const args = [...(loaded ? ['--import', loaded] : []), 'packages/local/main.ts', '--only', part];
    const stdio: StdioOptions = loaded ? ['ignore', 'ignore', 'ignore', 'ipc'] : 'ignore';
    const child = spawn(process.execPath, args, { cwd: root, env, stdio });
    children.unshift(child);
    return child;
  };
  const stop = async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const aws = start('aws');
    const endpoints = await readField(dataDir, 'endpoints');
    const api = start('api', preload);
    const baseUrl = await readField(dataDir, 'baseUrl');
    const apiKey = await readField(dataDir, 'apiKey');
    if (api.pid === undefined || aws.pid === undefined) throw new Error('the service did not start');
    return { baseUrl, apiKey, endpoints, api, apiPid: api.pid, awsPid: aws.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until a part has written this field into service.json. */
async function readField<F extends 'baseUrl' | 'apiKey' | 'endpoints'>(
  dataDir: string,
  field: F,
): Promise<ServiceProcesses[F]> {
  const until = Date.now() + startMilliseconds;
  while (Date.now() < until) {
    const text = await readFile(path.join(dataDir, 'service.json'), 'utf8').catch(() => '{}');
    const value = (JSON.parse(text || '{}') as Partial<ServiceProcesses>)[field];
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the service did not start: no ${field}`);
}
