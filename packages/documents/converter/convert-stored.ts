import {
  type Clock,
  type Files,
  type Log,
  limits,
  type StartTimer,
  startSystemTimer,
} from '@errand/platform';
import { DocumentError } from '../document-error.ts';
import { type ReadDocument, readDocument } from '../read-document.ts';
import { type ConversionAnswer, type ConversionCall, keysOf } from './conversion-call.ts';

export interface ConvertStoredDeps {
  files: Pick<Files, 'put' | 'getBytes' | 'size'>;
  clock: Clock;
  log: Log;
  /** For tests that hold the time. */
  startTimer?: StartTimer;
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
  const answer = await read(deps, call).catch((error: unknown): ConversionAnswer => {
    if (error instanceof DocumentError) return { code: error.code, message: error.message };
    if (error instanceof Cancelled) return { code: 'timeout', message: error.message };
    throw error;
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

/** Nobody waits for the answer. */
class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

async function read(deps: ConvertStoredDeps, call: ConversionCall): Promise<ConversionAnswer> {
  const { key, id, extension, charset, reading } = call;
  const watch = watchForCancel(deps, id);
  try {
    const bytes = await deps.files.getBytes(key, { signal: watch.signal });
    if (!bytes) throw new DocumentError('broken', 'The uploaded file is gone.');
    const document = await readDocument({}, { bytes, extension, charset, reading, signal: watch.signal });
    await put(deps, id, document);
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

/** Looks for the mark of a caller who has gone. A failure to look is no such mark. */
function watchForCancel({ files, startTimer = startSystemTimer }: ConvertStoredDeps, id: string) {
  const controller = new AbortController();
  let cancelTimer = () => {};
  const lookLater = () => {
    cancelTimer = startTimer(limits.conversionCancelMilliseconds, () => void look());
  };
  const look = async () => {
    const mark = await files.size(keysOf(id).cancelled).catch(() => undefined);
    if (mark !== undefined) controller.abort(new Cancelled('The conversion was cancelled.'));
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
