import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleFunction } from '../../../scripts/bundle-function.ts';
import { type CallerLoad, type CallerResult, noResult } from './load.ts';

/** Processes that let requests in and settle them. */
export interface Callers {
  pids(count: number): number[];
  /** Gives the load to the first `count` processes, and joins what they report. */
  run(count: number, load: CallerLoad): Promise<CallerResult>;
  stop(): Promise<void>;
}

/**
 * The processes run a bundle, as functions do: a hundred of them start in seconds and are small. They end when this process
 * does.
 */
export async function startCallers(endpoint: string, count: number): Promise<Callers> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  await bundleFunction({
    entry: 'test/bench/money/caller.ts',
    outFolder: folder,
    minify: false,
    splitting: false,
  });
  const children: ChildProcess[] = [];
  const startedAtOnce = 4;
  while (children.length < count) {
    const some = Array.from({ length: Math.min(startedAtOnce, count - children.length) }, () =>
      startCaller(path.join(folder, 'bundle.mjs'), endpoint),
    );
    children.push(...(await Promise.all(some)));
  }
  return {
    pids: (some) => children.slice(0, some).map(({ pid }) => pid as number),
    run: async (some, load) => join(await Promise.all(children.slice(0, some).map((one) => ask(one, load)))),
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startCaller(file: string, endpoint: string): Promise<ChildProcess> {
  const child = fork(file, [endpoint], { execArgv: ['--max-semi-space-size=4'] });
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess, load: CallerLoad): Promise<CallerResult> {
  const answered = once(child, 'message');
  child.send(load);
  const [result] = (await answered) as [CallerResult];
  return result;
}

function join(results: readonly CallerResult[]): CallerResult {
  const all = noResult();
  for (const { letIn, settle, ...counted } of results) {
    for (const time of letIn) all.letIn.push(time);
    for (const time of settle) all.settle.push(time);
    for (const [name, count] of Object.entries(counted)) all[name as keyof typeof counted] += count;
  }
  return all;
}
