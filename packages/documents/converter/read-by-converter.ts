import type { Shown } from '@errand/passages';
import { type Files, FunctionFailure, type InvokeFunction, limits, newUuid } from '@errand/platform';
import { DocumentError, needsMemory, tooSlow } from '../document-error.ts';
import type { DocumentReader, DocumentToRead } from '../document-reader.ts';
import type { ReadDocument } from '../read-document.ts';
import { type ConversionAnswer, type ConversionCall, keysOf } from './conversion-call.ts';

export interface ConverterDeps {
  files: Pick<Files, 'put' | 'getText' | 'getBytes' | 'delete'>;
  invoke: InvokeFunction;
  converterFunction: string;
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
      throw signal.aborted ? signal.reason : worded(error, document.extension);
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
  signal.throwIfAborted();
  const call: ConversionCall = { id, key, extension, reading, ...(charset !== undefined && { charset }) };
  return invoke<ConversionAnswer>(converterFunction, call, { signal });
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
  return { packed, shown: JSON.parse(shown) as Shown };
}

/** The function looks for this object while it works. If it cannot be written, the function works to its own end. */
const cancel = ({ files }: ConverterDeps, id: string): Promise<unknown> =>
  files.put(keysOf(id).cancelled, '', byteStream).catch(() => undefined);

/** What cannot be deleted now goes after a day. */
const drop = ({ files }: ConverterDeps, id: string): Promise<unknown> => {
  const { source, packed, shown } = keysOf(id);
  return Promise.allSettled([source, packed, shown].map((key) => files.delete(key)));
};

/** A document can end the whole function only by what it takes: anything else is a failure of AWS. */
function worded(error: unknown, extension: string): unknown {
  if (!(error instanceof FunctionFailure)) return error;
  if (error.errorType === 'Sandbox.Timedout')
    return tooSlow(limits.documentConversionMilliseconds, { cause: error });
  if (['Runtime.ExitError', 'Runtime.OutOfMemory'].includes(error.errorType))
    return needsMemory(extension, { cause: error });
  return error;
}
