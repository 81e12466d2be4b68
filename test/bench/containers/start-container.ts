import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { FunctionName } from '../../../infra/permissions.ts';
import { type Cloud, originSecret } from '../../support/lambda/cloud.ts';
import { freePort } from '../../support/local-server.ts';
import { residentMegabytes } from '../processes.ts';

export interface ContainerProcess {
  pid: number;
  url: string;
  /** What the edge sends with each request. */
  headers: Record<string, string>;
  /** How many bytes of lines it has written to its log so far. */
  logged(): number;
  stop(): void;
}

interface ContainerOptions {
  entry: string;
  /** The function whose permissions it has. */
  name: FunctionName;
  gigabytes: number;
  environment?: Record<string, string>;
}

/**
 * Starts a container's process with the permissions of its function, by the command of the image and in its environment. There is no
 * container around it: V8 is told the memory that it would find there, of which its heap gets half.
 */
export async function startContainer(
  cloud: Cloud,
  { entry, name, gigabytes, environment }: ContainerOptions,
): Promise<ContainerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [`--max-heap-size=${gigabytes * 512}`, entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...(await cloud.environment(name)),
      NODE_ENV: 'production',
      MALLOC_MMAP_THRESHOLD_: '131072',
      RATE_LIMIT_REQUESTS: '1000000',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...environment,
    },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let logged = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    logged += bytes.length;
  });
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    headers: { 'x-origin-secret': originSecret },
    logged: () => logged,
    stop: kill,
  };
}

export async function untilHealthy({ url }: ContainerProcess): Promise<void> {
  for (let left = 600; left > 0; left--) {
    const answer = await fetch(`${url}/livez`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error('the container does not answer');
}

/** Watches the memory of a process. The function that it returns ends that, and tells the most. */
export function watchMemory(pid: number): () => number {
  let most = residentMegabytes([pid]);
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes([pid]));
  }, 200);
  return () => {
    clearInterval(timer);
    return most;
  };
}
