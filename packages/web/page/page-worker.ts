import { parentPort, workerData } from 'node:worker_threads';
import { packPassages, showPassages, splitPassages } from '@errand/passages';
import { FetchError } from '../failure.ts';
import { type PageOutcome, type PageTask, readPageText } from './page-text.ts';

async function read(task: PageTask): Promise<PageOutcome> {
  try {
    const { title, markdown } = await readPageText(task);
    const titled = title ? { title } : {};
    const packed = packPassages({ ...titled, passages: splitPassages(markdown) });
    return { page: { ...titled, packed, shown: showPassages(packed, task.reading) } };
  } catch (error) {
    if (error instanceof FetchError) return { reason: error.message };
    throw error;
  }
}

const outcome = await read(workerData as PageTask);
parentPort?.postMessage(outcome, 'page' in outcome ? [outcome.page.packed.buffer as ArrayBuffer] : []);
