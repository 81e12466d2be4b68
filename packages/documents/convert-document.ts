import type { Conversion } from './conversion.ts';
import { createSlots } from './conversion-slots.ts';
import { DocumentError } from './document-error.ts';
import { isDocumentExtension } from './document-extensions.ts';
import { runWorker } from './run-worker.ts';

export interface ConvertLimits {
  /** From the start of the conversion; waiting for a slot does not count. */
  timeoutMilliseconds: number;
  /** The size of the worker's heap. The document's bytes are outside of it. */
  memoryMegabytes: number;
  /** The length at which the text is cut. */
  outputCharacters: number;
}

const defaultLimits: ConvertLimits = {
  timeoutMilliseconds: 40_000,
  memoryMegabytes: 512,
  outputCharacters: 2_000_000,
};

const maximumBytes = 64 * 1024 * 1024;
const simultaneousConversions = 2;

/** One semaphore for the process, because a conversion may need half a gigabyte of its memory. */
const slots = createSlots(simultaneousConversions);

/** The bytes in a buffer of their own, which can be moved to a worker. Bytes in a shared buffer are copied. */
function movableBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/**
 * Converts a document to markdown or plain text in a worker thread, so that no file can stop the process. The bytes are
 * moved there, so an array that fills its buffer is empty afterwards. Throws `DocumentError`, or the signal's reason.
 */
export async function convertDocument(
  deps: { limits?: Partial<ConvertLimits> },
  input: {
    bytes: Uint8Array;
    extension: string;
    /** The charset that the sender names. */
    charset?: string | undefined;
    signal?: AbortSignal;
  },
): Promise<Conversion> {
  const { bytes, extension, charset, signal } = input;
  const limits = { ...defaultLimits, ...deps.limits };
  if (!isDocumentExtension(extension)) {
    throw new DocumentError(
      'unsupported',
      `Files of the kind ${extension || 'without an extension'} cannot be converted.`,
    );
  }
  if (bytes.byteLength === 0) throw new DocumentError('empty', `The ${extension} file is empty.`);
  if (bytes.byteLength > maximumBytes)
    throw new DocumentError('too_large', `The ${extension} file is larger than 64 MB.`);
  const release = await slots.take(signal);
  try {
    signal?.throwIfAborted();
    const task = {
      bytes: movableBytes(bytes),
      extension,
      outputCharacters: limits.outputCharacters,
      ...(charset && { charset }),
    };
    return await runWorker(task, limits, signal);
  } finally {
    release();
  }
}
