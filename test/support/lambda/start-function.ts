import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import path from 'node:path';
import { ensureRuntime } from '../../../scripts/install-sst.ts';
import { type Invocation, startRuntimeApi } from './runtime-api.ts';

export interface LambdaFunction {
  invoke(event: unknown, options?: { milliseconds?: number }): Invocation;
  pid: number;
  /** The JSON lines that it has logged so far. */
  log(): Record<string, unknown>[];
  /** Resolves with how the process ended: its signal, or `status N`. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

interface FunctionOptions {
  /** The folder with `bundle.mjs` and the files that are deployed next to it. */
  folder: string;
  environment: Record<string, string>;
  /** Starts it as `sst dev` does (SST 4.17's pkg/runtime/node/node.go). */
  live?: boolean;
}

/** SST's runtime client ends its process after a minute without work, which a slow machine's tests may well leave a function. */
const staysIdle = `--import=data:text/javascript,${encodeURIComponent(
  'const { exit } = process; process.exit = (status) => status === 0 || exit(status);',
)}`;

/** A function's bundle under SST's runtime client, in a process of its own, as Lambda would start it. */
export async function startFunction({
  folder,
  environment,
  live = false,
}: FunctionOptions): Promise<LambdaFunction> {
  const api = await startRuntimeApi();
  const lines: string[] = [];
  const command = [staysIdle, ensureRuntime(), path.join(folder, 'bundle.handler')];
  const liveCommand = ['--enable-source-maps', ...command, 'worker-1'];
  const child = spawn(process.execPath, live ? liveCommand : command, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_LAMBDA_FUNCTION_NAME: 'test',
      ...(live ? { SST_LIVE: 'true', SST_DEV: 'true' } : { LAMBDA_TASK_ROOT: folder }),
    },
  });
  keepLines(child, lines);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(() => {
    process.off('exit', kill);
    return child.signalCode ?? `status ${child.exitCode}`;
  });
  const died = ended.then(() => {
    throw new Error(`the function ended: ${lines.join('\n')}`);
  });
  died.catch(() => {});
  await Promise.race([api.ready, died]);
  return {
    invoke: api.invoke,
    pid: child.pid as number,
    ended,
    log: () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await api.close();
    },
  };
}

function keepLines(child: ChildProcess, lines: string[]): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
}
