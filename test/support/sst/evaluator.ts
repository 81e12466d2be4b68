import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Order } from './main.ts';

interface Evaluator {
  /** Rejects with what the evaluation complained about. */
  write(order: Order): Promise<void>;
  stop(): void;
}

interface Running {
  child: ChildProcess;
  /** Rejects with the process's stderr when it has ended. */
  ended: Promise<never>;
}

/**
 * Evaluates stages one after the other in a process, which needs as much CPU time to load Pulumi and SST as to evaluate. An
 * evaluation that fails ends it, and the next has a new one.
 */
export function createEvaluator(): Evaluator {
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (order: Order) => {
    running ??= start();
    const { child, ended } = running;
    hold(child, true);
    child.send(order);
    try {
      await Promise.race([once(child, 'message'), ended]);
      hold(child, false);
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
  return {
    write(order) {
      const written = last.then(() => write(order));
      last = written.catch(() => {});
      return written;
    },
    stop: () => void running?.child.kill(),
  };
}

function start(): Running {
  const child = fork(path.join(import.meta.dirname, 'main.ts'), {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = text(child.stderr!).then((stderr) => {
    throw new Error(stderr);
  });
  ended.catch(() => {});
  return { child, ended };
}

/** Whether this process waits for the other before it ends. */
function hold(child: ChildProcess, held: boolean): void {
  for (const each of [child, child.channel, child.stderr as Socket]) {
    if (held) each?.ref();
    else each?.unref();
  }
}
