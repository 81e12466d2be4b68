import { parentPort, workerData } from 'node:worker_threads';
import { packPassages, showPassages, splitPassages } from '@errand/passages';
import { convertedText } from './conversion.ts';
import { convertBytes } from './convert-bytes.ts';
import { DocumentError } from './document-error.ts';
import type { ConversionOutcome, ConversionTask, ReadDocument } from './worker-messages.ts';

/** Packs a document's text. The text itself is free again when this returns: the index may need the memory. */
async function pack(task: ConversionTask): Promise<Omit<ReadDocument, 'shown'>> {
  const conversion = await convertBytes(task.bytes, task.extension, task);
  const { title, pages, places = [], columns = '' } = conversion;
  const passages = splitPassages(convertedText(conversion), { places, heading: columns });
  const packed = packPassages({ title: title || undefined, passages });
  return { packed, pages };
}

async function read(task: ConversionTask): Promise<ConversionOutcome> {
  try {
    const document = await pack(task);
    return { document: { ...document, shown: showPassages(document.packed, task.reading) } };
  } catch (error) {
    if (error instanceof DocumentError) return { code: error.code, message: error.message };
    throw error;
  }
}

const outcome = await read(workerData as ConversionTask);
const moved = 'document' in outcome ? [outcome.document.packed.buffer as ArrayBuffer] : [];
parentPort?.postMessage(outcome, moved);
