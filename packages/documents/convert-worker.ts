import { parentPort, workerData } from 'node:worker_threads';
import { convertBytes } from './convert-bytes.ts';
import { DocumentError } from './document-error.ts';
import type { ConversionOutcome, ConversionTask } from './worker-messages.ts';

async function convert(task: ConversionTask): Promise<ConversionOutcome> {
  try {
    return { conversion: await convertBytes(task.bytes, task.extension, task) };
  } catch (error) {
    if (error instanceof DocumentError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.postMessage(await convert(workerData as ConversionTask));
