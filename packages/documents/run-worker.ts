import { Worker } from 'node:worker_threads';
import type { Conversion } from './conversion.ts';
import { DocumentError } from './document-error.ts';
import type { ConversionOutcome, ConversionTask } from './worker-messages.ts';

/**
 * Run as it stands, this file finds its worker's source beside it. In a bundle `convert-worker.ts` is an entry
 * point of its own, written as `convert-worker.mjs` into the folder of the file (or shared chunk) that this code
 * ends up in: with esbuild `entryPoints: { ..., 'convert-worker': 'packages/documents/convert-worker.ts' }`,
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
    // A converter needs no secrets, no flags of its parent, and has nothing to say but its result.
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
 * Resource limits bound the heap alone; what a worker holds outside of it, such as the buffers into which a PDF's
 * streams unpack, is asked for here. A worker that is busy answers too.
 */
async function holdsMoreThan(worker: Worker, bytes: number): Promise<boolean> {
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics !== undefined && statistics.external_memory > bytes;
}

/** One conversion in one worker thread, which is gone when this settles. */
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
