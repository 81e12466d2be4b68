import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Running {
  pid: number;
  /** The text that it printed after `ready`. */
  ready: string;
  stop(): void;
}

export interface StartOptions {
  cwd?: string;
  env?: Record<string, string>;
  readyWhen?: RegExp;
  /** Drops what the program writes to stderr. */
  quiet?: boolean;
}

/** Starts a Node program that prints `ready ...` once it serves. */
export async function startNode(file: string, args: string[], options: StartOptions = {}): Promise<Running> {
  return start(process.execPath, [file, ...args], options);
}

export async function start(
  command: string,
  args: string[],
  { cwd, env, readyWhen = /^ready ?(.*)/, quiet = false }: StartOptions = {},
): Promise<Running> {
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
    env: { ...process.env, ...env },
    cwd: cwd || undefined,
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const ready = await new Promise<string>((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no output'));
    createInterface(child.stdout).on('line', (line) => {
      const match = readyWhen.exec(line);
      if (match) resolve(match[1] ?? '');
    });
    child.once('exit', (code) => reject(new Error(`${command} ${args[0]} ended with ${code}`)));
    child.once('error', reject);
  });
  return { pid: child.pid as number, ready, stop: kill };
}

/** Starts to count the CPU of these processes. The function that it returns tells their milliseconds since then. */
export function measureCpu(pids: readonly number[]): () => number {
  const before = threadNanoseconds(pids);
  return () => {
    let sum = 0;
    for (const [thread, taken] of threadNanoseconds(pids))
      sum += Math.max(0, taken - (before.get(thread) ?? 0));
    return sum / 1e6;
  };
}

/** The milliseconds of CPU that a process has taken so far, also in threads that have ended, in steps of 10 ms. */
export function cpuOfProcess(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** The milliseconds of CPU that the processes have taken so far, without threads that have ended. */
export const takenCpu = (pids: readonly number[]): number =>
  [...threadNanoseconds(pids).values()].reduce((sum, taken) => sum + taken, 0) / 1e6;

/** The CPU of each thread so far. `schedstat` is per thread and in nanoseconds; `stat` has ticks of 10 ms. */
function threadNanoseconds(pids: readonly number[]): Map<string, number> {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`),
  );
  return new Map(threads.map((thread) => [thread, nanosecondsOf(thread)]));
}

function nanosecondsOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    // The thread has ended.
    return 0;
  }
}

export function residentMegabytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return sum + Number(kilobytes) / 1024;
  }, 0);
}

/** The process and those that it started. */
export function processesOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processesOf)];
}

/** How many descriptors the process holds: sockets, files and the like. */
export const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
