import type { Shown } from '@errand/passages';
import {
  describeError,
  type Files,
  FunctionFailure,
  type InvokeFunction,
  type Log,
  limits,
  newUuid,
} from '@errand/platform';
import { DocumentError, needsMemory, tooSlow } from '../document-error.ts';
import type { DocumentReader, DocumentToRead } from '../document-reader.ts';
import type { ReadDocument } from '../worker-messages.ts';
import { type ConversionAnswer, type ConversionCall, isConversionAnswer, keysOf } from './conversion-call.ts';

interface ConverterDeps {
  files: Pick<Files, 'put' | 'getText' | 'getBytes' | 'delete'>;
  invoke: InvokeFunction;
  converterFunction: string;
  log: Log;
}

const byteStream = 'application/octet-stream';

/**
 * Reads documents by a function of their own, which has the memory that takes. Throws what `readDocument` throws; an error
 * that is `isAwsTrouble` if the function cannot be reached.
 */
export const readByConverter =
  (deps: ConverterDeps): DocumentReader =>
  async (document) => {
    const id = newUuid();
    const { signal } = document;
    try {
      const answer = await convert(deps, id, document);
      if ('code' in answer) throw new DocumentError(answer.code, answer.message);
      return { ...answer, ...(await collect(deps, id, signal)) };
    } catch (error) {
      if (signal.aborted) await cancel(deps, id);
      throw signal.aborted ? signal.reason : worded(deps, error, document.extension);
    } finally {
      await drop(deps, id);
    }
  };

async function convert(
  { files, invoke, converterFunction }: ConverterDeps,
  id: string,
  { source, extension, charset, reading, signal }: DocumentToRead,
): Promise<ConversionAnswer> {
  const key = source.key ?? keysOf(id).source;
  if (source.key === undefined) await files.put(key, await source.bytes(), byteStream);
  source.freed?.();
  signal.throwIfAborted();
  const call: ConversionCall = { id, key, extension, reading, charset };
  const answer = await invoke(converterFunction, call, { signal });
  if (!isConversionAnswer(answer)) throw new FunctionFailure('UnknownAnswer');
  return answer;
}

async function collect(
  { files }: ConverterDeps,
  id: string,
  signal: AbortSignal,
): Promise<Omit<ReadDocument, 'pages'>> {
  const keys = keysOf(id);
  const [packed, shown] = await Promise.all([
    files.getBytes(keys.packed, { signal }),
    files.getText(keys.shown),
  ]);
  if (!packed || shown === undefined) throw new FunctionFailure('NoResult');
  return { packed, shown: parseShown(shown) };
}

function parseShown(text: string): Shown {
  const shown = parseJson(text) as Partial<Shown> | null | undefined;
  if (typeof shown?.text !== 'string') throw new FunctionFailure('UnknownResult');
  return shown as Shown;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The function looks for this object while it works. If it cannot be written, the function works to its own end. */
const cancel = ({ files }: ConverterDeps, id: string): Promise<unknown> =>
  files.put(keysOf(id).cancelled, '', byteStream).catch(() => undefined);

/** Deletes the objects. Objects that cannot be deleted now expire after a day. */
const drop = ({ files }: ConverterDeps, id: string): Promise<unknown> => {
  const { source, packed, shown } = keysOf(id);
  return Promise.allSettled([source, packed, shown].map((key) => files.delete(key)));
};

/** A document can end the whole function only by using too much memory or time. Any other end is a failure of AWS. */
function worded({ log }: ConverterDeps, error: unknown, extension: string): unknown {
  if (error instanceof DocumentError) return error;
  const errorType = error instanceof FunctionFailure ? error.errorType : undefined;
  if (errorType === 'Sandbox.Timedout')
    return tooSlow(limits.documentConversionMilliseconds, { cause: error });
  if (errorType === 'Runtime.OutOfMemory') return needsMemory(extension, { cause: error });
  const described = describeError(error);
  log.error('document not converted', { ...described, reason: errorType ?? described.error });
  return error;
}
