import type { Worker } from 'node:worker_threads';
import { createSemaphore } from '../semaphore.ts';
import { startWorker, ThreadError } from './run-in-thread.ts';

interface KeptThread<Task, Answer> {
  /**
   * The bytes are copied when the task has its turn, so that tasks that wait take no memory of their own. Throws `ThreadError`, or
   * the signal's reason. Owners share the thread fairly.
   */
  ask(task: Task, options: { signal?: AbortSignal; owner?: string }): Promise<Answer>;
}

interface KeptLimits {
  /** The size of the thread's heap. */
  memoryMegabytes: number;
  /** The thread takes turns between so many. */
  tasksAtOnce: number;
  /** For one task. A thread that is slower is ended, with all that it has in work. */
  timeoutMilliseconds: number;
  /** The thread ends when it has had nothing to do for so long. */
  idleMilliseconds: number;
}

/** What a kept thread's program is sent for a task, and sends back. */
export interface NumberedTask<Task> {
  number: number;
  task: Task;
}
export interface NumberedAnswer<Answer> {
  number: number;
  answer: Answer;
}

/**
 * A thread for short tasks of a program that takes long to start, such as one that loads an encoding. It starts with the
 * first task, and again after it has ended or died.
 */
export function keptThread<Task extends { readonly bytes: Uint8Array }, Answer>(
  program: URL,
  { memoryMegabytes, tasksAtOnce, timeoutMilliseconds, idleMilliseconds }: KeptLimits,
): KeptThread<Task, Answer> {
  const turns = createSemaphore(tasksAtOnce);
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let worker: Worker | undefined;
  let asked = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  /** Ends the thread, and fails all that it has in work. */
  function end(code: ThreadError['code']): void {
    void worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new ThreadError(code));
    waiting.clear();
  }

  function start(): Worker {
    const started = startWorker(program, memoryMegabytes);
    started.on('message', ({ number, answer }: NumberedAnswer<Answer>) =>
      waiting.get(number)?.resolve(answer),
    );
    const onEnd = (code: ThreadError['code']) => {
      if (worker === started) end(code);
    };
    started.on('error', (error: Error & { code?: string }) =>
      onEnd(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash'),
    );
    started.once('exit', () => onEnd('crash'));
    // A process that has nothing else to do may end.
    started.unref();
    return started;
  }

  async function work(task: Task): Promise<Answer> {
    clearTimeout(idle);
    worker ??= start();
    const number = asked++;
    const answered = Promise.withResolvers<Answer>();
    waiting.set(number, answered);
    const late = setTimeout(() => end('timeout'), timeoutMilliseconds);
    try {
      const bytes = Uint8Array.from(task.bytes);
      const numbered: NumberedTask<Task> = { number, task: { ...task, bytes } };
      worker.postMessage(numbered, [bytes.buffer]);
      return await answered.promise;
    } finally {
      clearTimeout(late);
      waiting.delete(number);
      if (waiting.size === 0) idle = setTimeout(() => end('crash'), idleMilliseconds).unref();
    }
  }

  return {
    async ask(task, options) {
      const giveBack = await turns.take(options);
      try {
        return await work(task);
      } finally {
        giveBack();
      }
    },
  };
}
