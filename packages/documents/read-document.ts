import type { Reading } from '@errand/passages';
import {
  limits,
  runInThread,
  ThreadError,
  type ThreadLimits,
  threadProgram,
  withChanges,
} from '@errand/platform';
import { DocumentError, damaged, needsMemory, tooSlow } from './document-error.ts';
import { isDocumentExtension } from './document-extensions.ts';
import type { ConversionOutcome, ReadDocument } from './worker-messages.ts';

export interface ConvertLimits extends ThreadLimits {
  /** The length at which the text is cut. */
  outputCharacters: number;
}

const defaultLimits: ConvertLimits = {
  timeoutMilliseconds: limits.documentConversionMilliseconds,
  memoryMegabytes: limits.documentConversionMegabytes,
  outputCharacters: limits.documentCharacters,
};

const program = threadProgram(import.meta.url, 'convert-worker');

/**
 * Converts a document to markdown or plain text and cuts it into passages, in a worker thread, so that no file can stop
 * the process. The bytes are moved there, so an array that fills its buffer is empty afterwards. Throws
 * `DocumentError`, or the signal's reason.
 */
export async function readDocument(
  deps: { limits?: Partial<ConvertLimits>; owner?: string | undefined },
  input: {
    bytes: Uint8Array;
    extension: string;
    /** The charset that the sender names. */
    charset?: string;
    signal?: AbortSignal;
    /** What is shown of it. */
    reading: Reading;
  },
): Promise<ReadDocument> {
  const { bytes, extension, charset, signal, reading } = input;
  const convertLimits = { ...withChanges(defaultLimits, deps.limits ?? {}), owner: deps.owner };
  if (!isDocumentExtension(extension)) {
    throw new DocumentError(
      'unsupported',
      `Files of the kind ${extension || 'without an extension'} cannot be converted.`,
    );
  }
  if (bytes.byteLength === 0) throw new DocumentError('empty', `The ${extension} file is empty.`);
  if (bytes.byteLength > limits.readDocumentBytes)
    throw new DocumentError(
      'too_large',
      `The ${extension} file is larger than ${limits.readDocumentBytes / 2 ** 20} MB.`,
    );
  const { timeoutMilliseconds, outputCharacters } = convertLimits;
  const task = { bytes, extension, outputCharacters, reading, charset: charset || undefined };
  const outcome = await runInThread<ConversionOutcome>(program, task, convertLimits, signal).catch(
    (error: unknown) => {
      throw error instanceof ThreadError ? worded(error, extension, timeoutMilliseconds) : error;
    },
  );
  if ('document' in outcome) return outcome.document;
  throw new DocumentError(outcome.code, outcome.message);
}

function worded(cause: ThreadError, extension: string, timeoutMilliseconds: number): DocumentError {
  if (cause.code === 'timeout') return tooSlow(timeoutMilliseconds, { cause });
  if (cause.code === 'memory') return needsMemory(extension, { cause });
  return damaged(extension, { cause });
}
