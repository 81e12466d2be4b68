import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import type { FunctionName } from '../../../infra/permissions.ts';
import { freePort } from '../local-server.ts';
import { type Cloud, originSecret } from './cloud.ts';

export interface Container {
  baseUrl: string;
  /** Asks as the edge does, with the cloud's first key. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The status of the health check; 0 if nothing answers. */
  health(): Promise<number>;
  /** The lines of its log with one message. */
  logged(message: string): Record<string, unknown>[];
  /** Sends SIGTERM. Resolves with the status with which the process then ends. */
  terminate(): Promise<number | null>;
  kill(): Promise<unknown>;
}

/** Starts the entry of a container as its image does, with a function's permissions. */
export async function startContainer(
  cloud: Cloud,
  entry: string,
  like: FunctionName,
  environment: Record<string, string> = {},
): Promise<Container> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [`functions/${entry}.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...(await cloud.environment(like)),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...environment,
    },
  });
  const ended = once(child, 'exit');
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  return {
    baseUrl,
    ask: (path, init = {}) =>
      fetch(baseUrl + path, {
        ...init,
        headers: {
          'X-Origin-Secret': originSecret,
          Authorization: `Bearer ${cloud.apiKey}`,
          ...(init.headers as Record<string, string>),
        },
      }),
    health: () =>
      fetch(`${baseUrl}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    logged: (message) => lines.filter((line) => line.message === message),
    async terminate() {
      child.kill('SIGTERM');
      return (await ended)[0] as number | null;
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Resolves once the container takes requests. */
export const untilHealthy = ({ health }: Container): Promise<unknown> =>
  vi.waitUntil(async () => (await health()) === 200, { timeout: 60_000 });
