import { Worker } from 'node:worker_threads';
import type { Conversion } from './conversion.ts';
import { DocumentError } from './document-error.ts';
import type { ConversionOutcome, ConversionTask } from './worker-messages.ts';

/**
 * From source, the worker's file is beside this one. A bundle needs `convert-worker.ts` as an entry point of its own,
 * written as `convert-worker.mjs` into the folder of the file (or shared chunk) that this code is bundled into: with
 * esbuild `entryPoints: { ..., 'convert-worker': 'packages/documents/convert-worker.ts' }` and
 * `outExtension: { '.js': '.mjs' }`.
 */
const workerFile = import.meta.url.endsWith('.ts') ? './convert-worker.ts' : './convert-worker.mjs';

const memoryWatchMilliseconds = 100;

export interface WorkerLimits {
  timeoutMilliseconds: number;
  memoryMegabytes: number;
}

function timedOut(seconds: number): DocumentError {
  return new DocumentError('timeout', `The file could not be converted within ${seconds} seconds.`);
}

function outOfMemory(extension: string): DocumentError {
  return new DocumentError('too_large', `The ${extension} file needs more memory than a conversion may use.`);
}

function failure(error: Error & { code?: string }, extension: string): DocumentError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(extension);
  return new DocumentError('broken', `The ${extension} file could not be read: it is damaged or incomplete.`);
}

function start(task: ConversionTask, limits: WorkerLimits): Worker {
  const worker = new Worker(new URL(workerFile, import.meta.url), {
    workerData: task,
    transferList: [task.bytes.buffer],
    resourceLimits: {
      maxOldGenerationSizeMb: limits.memoryMegabytes,
      maxYoungGenerationSizeMb: 64,
      stackSizeMb: 4,
    },
    // A converter gets no secrets and no flags of its parent, and its output is not for the log.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/**
 * Whether a worker holds more than `bytes` outside of its heap, where a PDF's streams are unpacked. Resource limits
 * bound only the heap. A busy worker answers too.
 */
async function holdsMoreThan(worker: Worker, bytes: number): Promise<boolean> {
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics !== undefined && statistics.external_memory > bytes;
}

/** Runs one conversion in a worker thread of its own. The thread has ended when the promise settles. */
export async function runWorker(
  task: ConversionTask,
  limits: WorkerLimits,
  signal?: AbortSignal,
): Promise<Conversion> {
  const { promise, resolve, reject } = Promise.withResolvers<Conversion>();
  const maximumBytes = limits.memoryMegabytes * 1024 * 1024 + task.bytes.byteLength;
  const worker = start(task, limits);
  const timer = setTimeout(
    () => reject(timedOut(Math.round(limits.timeoutMilliseconds / 100) / 10)),
    limits.timeoutMilliseconds,
  );
  const watch = setInterval(async () => {
    if (await holdsMoreThan(worker, maximumBytes)) reject(outOfMemory(task.extension));
  }, memoryWatchMilliseconds);
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  worker.once('message', (outcome: ConversionOutcome) => {
    if ('conversion' in outcome) resolve(outcome.conversion);
    else reject(new DocumentError(outcome.code, outcome.message));
  });
  worker.on('error', (error) => reject(failure(error as Error, task.extension)));
  worker.once('exit', () => reject(failure(new Error('exit'), task.extension)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
