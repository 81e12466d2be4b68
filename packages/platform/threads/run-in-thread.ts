import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { limits } from '../limits.ts';
import { createSemaphore } from '../semaphore.ts';
import { takeTurn } from './waits.ts';

const memoryWatchMilliseconds = 100;

/** One semaphore for the process: each thread may take hundreds of megabytes of its memory. */
let threads = createSemaphore(limits.simultaneousThreads);

/** Bodies that wait for the one thread of a process, each of no more than a page. */
let waitingBodies = createSemaphore(limits.waitingBodiesAtOnce);

/** Images over `largeImageBytes` beside that one thread. */
let largeImages = createSemaphore(limits.largeImagesAtOnce);

/** Whether the process has memory for one thread. */
let isSingle = false;

/**
 * For a process with memory for one thread: threads, and what takes as much room, work one after the other. The function that it
 * returns undoes that.
 */
export function allowOneThread(): () => void {
  const before = threads;
  threads = createSemaphore(1);
  waitingBodies = createSemaphore(limits.waitingBodiesAtOnce);
  largeImages = createSemaphore(limits.largeImagesAtOnce);
  isSingle = true;
  return () => {
    threads = before;
    isSingle = false;
  };
}

/** Takes the room of a body that will wait for its thread, where there is room for one: its neighbours may be many. */
export const takeWaitingRoom = async (options: {
  signal: AbortSignal | undefined;
  owner: string | undefined;
}): Promise<() => void> => (isSingle ? takeTurn(waitingBodies, options) : () => {});

/** Takes the room of a large image besides, where there is room for one thread. */
export const takeLargeImageRoom = async (options: {
  signal: AbortSignal | undefined;
  owner: string | undefined;
}): Promise<() => void> => (isSingle ? takeTurn(largeImages, options) : () => {});

export const hasRoomForOneThread = (): boolean => isSingle;

/** Large bodies in the memory of the process, whether they are read or wait for that. */
const bodies = createSemaphore(limits.largeBodiesAtOnce);

/** Takes the room of a large body: that of a thread where there is room for one alone. */
export const takeRoom = (options: {
  signal: AbortSignal | undefined;
  owner: string | undefined;
}): Promise<() => void> => takeTurn(isSingle ? threads : bodies, options);

export interface ThreadLimits {
  /** From the start of the thread. The wait for a slot does not count; who watches the signal's waits is told of it. */
  timeoutMilliseconds: number;
  /** The size of the thread's heap. */
  memoryMegabytes: number;
  /** What it may hold outside of its heap beside the bytes that it was given. Default: as much again. */
  outsideMegabytes?: number;
  /** Whose work it is, such as an account's. Owners share the threads fairly. */
  owner?: string;
}

/** A thread gave no answer. `crash` is also an error that its program did not catch. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code: 'timeout' | 'memory' | 'crash';

  constructor(code: ThreadError['code']) {
    super(`the thread ended without an answer: ${code}`);
    this.code = code;
  }
}

/**
 * The program of a thread: a file beside the module that names it. A bundle needs the program as an entry point of its
 * own, written as `<name>.mjs` into the folder of the file (or shared chunk) that this module is bundled into, as
 * `scripts/build-assets.ts` does. Sources use the bundle that `scripts/bundle-threads.ts` has made of the program.
 */
export function threadProgram(module: string, name: string) {
  if (!module.endsWith('.ts')) return new URL(`./${name}.mjs`, module);
  const bundled = new URL(`../../../dist/threads/${name}.mjs`, import.meta.url);
  return existsSync(bundled) ? bundled : new URL(`./${name}.ts`, module);
}

/**
 * Has a program of its own thread work on bytes that a stranger sent, so that none can stop the process. The thread gets
 * `task` as its `workerData`, and its first message is the answer. The bytes are moved there, so an array that fills its
 * buffer is empty afterwards. The thread has ended when the promise settles. Throws `ThreadError`, or the signal's reason.
 */
export async function runInThread<Answer>(
  program: URL,
  task: { readonly bytes: Uint8Array },
  threadLimits: ThreadLimits,
  signal?: AbortSignal,
): Promise<Answer> {
  const release = await takeTurn(threads, { signal, owner: threadLimits.owner });
  try {
    signal?.throwIfAborted();
    return await runWorker<Answer>(program, { ...task, bytes: movable(task.bytes) }, threadLimits, signal);
  } finally {
    release();
  }
}

/** The bytes in a buffer of their own. Bytes in a shared buffer are copied. */
function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

async function runWorker<Answer>(
  program: URL,
  task: { bytes: Uint8Array<ArrayBuffer> },
  { timeoutMilliseconds, memoryMegabytes, outsideMegabytes = memoryMegabytes }: ThreadLimits,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const maximumBytes = outsideMegabytes * 1024 * 1024 + task.bytes.byteLength;
  const worker = startWorker(program, memoryMegabytes, task);
  const timer = setTimeout(() => reject(new ThreadError('timeout')), timeoutMilliseconds);
  const watch = setInterval(async () => {
    if (await holdsMoreThan(worker, maximumBytes)) reject(new ThreadError('memory'));
  }, memoryWatchMilliseconds);
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve);
  worker.on('error', (error: Error & { code?: string }) =>
    reject(new ThreadError(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash')),
  );
  worker.once('exit', () => reject(new ThreadError('crash')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

export function startWorker(
  program: URL,
  memoryMegabytes: number,
  task?: { bytes: Uint8Array<ArrayBuffer> },
): Worker {
  const worker = new Worker(program, {
    workerData: task,
    transferList: task ? [task.bytes.buffer] : [],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMegabytes,
      maxYoungGenerationSizeMb: limits.threadYoungMegabytes,
      stackSizeMb: 4,
    },
    // The thread gets no secrets and no flags of the process, and its output is not for the log.
    env: compileCache(),
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** A thread of a process that keeps compiled code keeps its own there too: it starts in half of the CPU time. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
}

/**
 * Whether a thread holds more than `bytes` outside of its heap, where a PDF's streams are unpacked. Resource limits
 * bound only the heap. A busy thread answers too.
 */
async function holdsMoreThan(worker: Worker, bytes: number): Promise<boolean> {
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics !== undefined && statistics.external_memory > bytes;
}
