import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { buildah, run } from './buildah.ts';

/** What is disposed of before it was terminated is killed. */
export interface RunningImage extends AsyncDisposable {
  baseUrl: string;
  apiKey: string;
  /** Sends SIGTERM to the program of the container. Resolves with its exit status. */
  terminate(): Promise<number | null>;
}

interface ImageConfig {
  Cmd: string[];
  Healthcheck: { Test: string[] };
}

/**
 * Runs the image's own command in a new container, as its own user, with the volume as its data folder, until its health
 * check passes.
 */
export async function startImage(image: string, volume: string): Promise<RunningImage> {
  await using starting = new AsyncDisposableStack();
  const container = buildah('from', image);
  starting.defer(() => void buildah('rm', container));
  const { Cmd, Healthcheck } = JSON.parse(buildah('inspect', container)).Docker.config as ImageConfig;
  // buildah 1.28 puts a folder of its own over what is mounted at a volume of the image.
  buildah('config', '--volume', '/data-', container);
  const inside = ['run', '--volume', `${volume}:/data`, '--env', `PORT=${await freePort()}`, container, '--'];
  const child = spawn('buildah', [...inside, ...Cmd], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const signal = async (name: NodeJS.Signals) => {
    if (child.exitCode === null) process.kill(programOf(child, Cmd), name);
    return (await ended)[0];
  };
  starting.defer(async () => void (await signal('SIGKILL')));
  const greeting = await readGreeting(child, ended);
  buildah(...inside, ...Healthcheck.Test.slice(1));
  console.log('The health check of the image passes.');
  const started = starting.move();
  return {
    ...greeting,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
    async terminate() {
      const status = await signal('SIGTERM');
      const isDown = await fetch(greeting.baseUrl).then(
        () => false,
        () => true,
      );
      if (!isDown) throw new Error(`${greeting.baseUrl} still answers`);
      return status;
    },
  };
}

function readGreeting(child: ChildProcess, ended: Promise<[number | null]>) {
  const found = new Promise<{ baseUrl: string; apiKey: string }>((resolve) => {
    let baseUrl = '';
    createInterface(child.stdout!).on('line', (line) => {
      console.log(`  ${line}`);
      baseUrl = /^Errand is running at (\S+)/.exec(line)?.[1] ?? baseUrl;
      const [, apiKey] = /^API key: (\S+)/.exec(line) ?? [];
      if (apiKey !== undefined) resolve({ baseUrl, apiKey });
    });
  });
  const failed = ended.then(([status]): never => {
    throw new Error(`the container ended with status ${status}`);
  });
  failed.catch(() => undefined);
  return Promise.race([found, failed]);
}

/** The process of the container's command: a descendant of buildah, which passes no signals on. */
function programOf({ pid }: ChildProcess, command: readonly string[]): number {
  const processes = run('ps', '-eo', 'pid=,ppid=,args=')
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, id, parent, name = '']) => ({ id: Number(id), parent: Number(parent), name }));
  const descendants = new Set([pid]);
  for (const { id, parent } of processes.toSorted((a, b) => a.id - b.id))
    if (descendants.has(parent)) descendants.add(id);
  const program = processes.find(
    ({ id, name }) => descendants.has(id) && name.endsWith(command.join(' ')) && !name.startsWith('buildah'),
  );
  if (!program) throw new Error('the program of the container is not there');
  return program.id;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
