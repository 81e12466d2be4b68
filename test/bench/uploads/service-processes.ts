import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ServiceProcesses {
  baseUrl: string;
  apiKey: string;
  /** The process that serves the API and nothing else. */
  apiPid: number;
  stop(): Promise<void>;
}

const startMilliseconds = 60_000;

/** Starts AWS and the API in processes of their own, on a new data folder. */
export async function startProcesses(): Promise<ServiceProcesses> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
  const children: ChildProcess[] = [];
  const start = (part: string) => {
    const main = 'packages/local/main.ts';
    const child = spawn(process.execPath, [main, '--only', part], { env, stdio: 'ignore' });
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
    start('aws');
    await readField(dataDir, 'endpoints');
    const { pid } = start('api');
    const baseUrl = await readField(dataDir, 'baseUrl');
    const apiKey = await readField(dataDir, 'apiKey');
    if (pid === undefined) throw new Error('the API did not start');
    return { baseUrl, apiKey, apiPid: pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until a part has written this field into service.json. */
async function readField(dataDir: string, field: string): Promise<string> {
  const until = Date.now() + startMilliseconds;
  while (Date.now() < until) {
    const text = await readFile(path.join(dataDir, 'service.json'), 'utf8').catch(() => '{}');
    const value = (JSON.parse(text || '{}') as Record<string, string>)[field];
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the service did not start: no ${field}`);
}
