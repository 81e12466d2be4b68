import type { Conversion } from './conversion.ts';
import { createSlots } from './conversion-slots.ts';
import { DocumentError } from './document-error.ts';
import { isDocumentExtension } from './document-extensions.ts';
import { runWorker } from './run-worker.ts';

export interface ConvertLimits {
  /** Counted from the start of the conversion, not while it waits for its turn. */
  timeoutMilliseconds: number;
  /** The worker's heap; the document's bytes come on top. */
  memoryMegabytes: number;
  /** The text is cut here; what was cut is counted. */
  outputCharacters: number;
}

const defaultLimits: ConvertLimits = {
  timeoutMilliseconds: 40_000,
  memoryMegabytes: 512,
  outputCharacters: 2_000_000,
};

const maximumBytes = 64 * 1024 * 1024;
const simultaneousConversions = 2;

/** Of the process, not of a caller: it is the process whose memory the conversions share. */
const slots = createSlots(simultaneousConversions);

/** The bytes in a buffer that can be moved to a worker: their own if it holds nothing else, else a copy. */
function movableBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/**
 * Converts a document to markdown or plain text in a worker thread, so that no file can stop the process. The
 * bytes are given away: an array that fills its buffer is empty afterwards. Throws DocumentError, or the signal's
 * reason once that is aborted.
 */
export async function convertDocument(
  deps: { limits?: Partial<ConvertLimits> },
  input: {
    bytes: Uint8Array;
    extension: string;
    /** What the sender says that a text is encoded in. */
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
