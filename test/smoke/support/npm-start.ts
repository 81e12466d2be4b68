import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const root = path.resolve(import.meta.dirname, '../../..');

/** What a stranger's shell has: no variable of this process reaches the service. */
export const strangersEnv = (dataDir: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  DATA_DIR: dataDir,
});

export interface Started {
  /** What it has printed, by lines. */
  said: readonly string[];
  /** Ends it as Ctrl-C does. Resolves with its exit status. */
  interrupt(): Promise<number | null>;
}

/** Runs `npm start`, and resolves when the service says that it is running. */
export async function npmStart(dataDir: string): Promise<Started> {
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...strangersEnv(dataDir), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends Ctrl-C to npm and to all that it has started: they are a group here too.
    detached: true,
  });
  const send = (signal: NodeJS.Signals) => {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (child.pid !== undefined && !ended) process.kill(-child.pid, signal);
  };
  const killed = () => send('SIGKILL');
  process.once('exit', killed);
  const closed = once(child, 'close').then(([status]) => {
    process.off('exit', killed);
    return status as number | null;
  });
  const said: string[] = [];
  let complained = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      said.push(line);
      if (line.startsWith('Errand is running at ')) resolve();
    });
    closed.then((status) => reject(new Error(`npm start ended with ${status}: ${complained}`)), reject);
  });
  return {
    said,
    interrupt() {
      send('SIGINT');
      return closed;
    },
  };
}
