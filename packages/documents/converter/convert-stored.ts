import { type Clock, type Files, type Log, limits, startTimer } from '@errand/platform';
import { DocumentError } from '../document-error.ts';
import { readDocument } from '../read-document.ts';
import type { ReadDocument } from '../worker-messages.ts';
import { type ConversionAnswer, type ConversionCall, keysOf } from './conversion-call.ts';

export interface ConvertStoredDeps {
  files: Pick<Files, 'put' | 'getBytes' | 'size' | 'delete'>;
  clock: Clock;
  log: Log;
}

/**
 * Reads a document that lies in the bucket, and puts there what was read. This is the converter's side of a call: what is
 * wrong with the document is its answer, what is wrong with the bucket is thrown.
 */
export async function convertStored(
  deps: ConvertStoredDeps,
  call: ConversionCall,
): Promise<ConversionAnswer> {
  const startedAt = deps.clock();
  const { id, extension } = call;
  const answer = await read(deps, call).catch(async (error: unknown): Promise<ConversionAnswer> => {
    if (error instanceof DocumentError) return { code: error.code, message: error.message };
    if (!(error instanceof Cancelled)) throw error;
    await clear(deps, id);
    return { code: 'timeout', message: error.message };
  });
  const failure = 'code' in answer ? answer.code : undefined;
  deps.log.info('document read', {
    conversion: id,
    extension,
    failure,
    milliseconds: deps.clock() - startedAt,
  });
  return answer;
}

/** Thrown when no caller waits for the answer any more. */
class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

const cancelled = () => new Cancelled('The conversion was cancelled.');

async function read(deps: ConvertStoredDeps, call: ConversionCall): Promise<ConversionAnswer> {
  const { key, id, extension, charset, reading } = call;
  const watch = watchForCancel(deps, id);
  try {
    const bytes = await deps.files.getBytes(key, { signal: watch.signal });
    if (!bytes) throw new DocumentError('broken', 'The uploaded file is gone.');
    const document = await readDocument({}, { bytes, extension, charset, reading, signal: watch.signal });
    await put(deps, id, document);
    // A caller who has gone meanwhile has already deleted what was there.
    if (await isCancelled(deps, id)) throw cancelled();
    return document.pages === undefined ? {} : { pages: document.pages };
  } finally {
    watch.stop();
  }
}

const put = ({ files }: ConvertStoredDeps, id: string, { packed, shown }: ReadDocument): Promise<unknown> =>
  Promise.all([
    files.put(keysOf(id).packed, packed, 'application/octet-stream'),
    files.put(keysOf(id).shown, JSON.stringify(shown), 'application/json'),
  ]);

/** A failure to look is no mark of a caller who has gone. */
const isCancelled = async ({ files }: Pick<ConvertStoredDeps, 'files'>, id: string): Promise<boolean> =>
  (await files.size(keysOf(id).cancelled).catch(() => undefined)) !== undefined;

/** What is left goes after a day. */
const clear = ({ files }: ConvertStoredDeps, id: string): Promise<unknown> => {
  const { packed, shown, cancelled: mark } = keysOf(id);
  return Promise.allSettled([packed, shown, mark].map((key) => files.delete(key)));
};

/** Looks for the mark of a caller who has gone. */
function watchForCancel(deps: ConvertStoredDeps, id: string) {
  const controller = new AbortController();
  let cancelTimer = () => {};
  const lookLater = () => {
    cancelTimer = startTimer(deps, limits.conversionCancelMilliseconds, () => void look());
  };
  const look = async () => {
    const mark = await isCancelled(deps, id);
    if (mark) controller.abort(cancelled());
    else if (!controller.signal.aborted) lookLater();
  };
  lookLater();
  return {
    signal: controller.signal,
    stop: () => {
      controller.abort(new Cancelled('The conversion is over.'));
      cancelTimer();
    },
  };
}
