import { parentPort, workerData } from 'node:worker_threads';
import { FetchError } from '../failure.ts';
import type { ReadDocument } from './article.ts';
import { type PageTask, readPageText } from './page-text.ts';

export type PageOutcome = { page: ReadDocument } | { reason: string };

async function read(task: PageTask): Promise<PageOutcome> {
  try {
    return { page: await readPageText(task) };
  } catch (error) {
    if (error instanceof FetchError) return { reason: error.message };
    throw error;
  }
}

parentPort?.postMessage(await read(workerData as PageTask));
