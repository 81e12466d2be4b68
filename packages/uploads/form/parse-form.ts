import type { Readable } from 'node:stream';
import { fieldIssue, limits } from '@errand/platform';
import { Busboy, type BusboyInstance } from '@fastify/busboy';

export interface FormFile {
  name: string;
  /** The file name as the sender wrote it; undefined if the part has none. */
  filename: string | undefined;
  stream: AsyncIterable<Uint8Array>;
}

interface FormHandlers {
  field(name: string, value: string): void;
  /** Must read the stream to its end, or throw. */
  file(file: FormFile): Promise<void>;
  /** Calls back with the error that ends the reading, if there is one. Returns the function that stops the waiting. */
  onShutdown?(callback: (error: unknown) => void): () => void;
}

const maxParts = 24;
const maxHeaderBytes = 16 * 1024;

const malformed = (problem: string) => fieldIssue('', `The multipart form ${problem}.`);

/**
 * Reads a multipart form piece by piece, as fast as the handler takes its file. Stops at the first error, which is
 * `invalid_request` or what a handler throws. The source is left open, so that its connection can carry the answer.
 */
export async function parseForm(
  source: Readable,
  contentType: string,
  handlers: FormHandlers,
): Promise<void> {
  const parser = openParser(contentType);
  const outcome = Promise.withResolvers<void>();
  const files: { stream: Readable; work: Promise<void> }[] = [];
  let reading = 0;
  parser.on('field', (name: string | undefined, value, _, truncated) => {
    try {
      if (truncated) throw fieldIssue(showField(name), 'is too long');
      handlers.field(name ?? '', value);
    } catch (error) {
      outcome.reject(error);
    }
  });
  parser.on('file', (name: string | undefined, stream, filename: string | undefined) => {
    stream.on('error', () => {});
    const work = handlers.file({ name: name ?? '', filename, stream });
    reading++;
    work.catch(outcome.reject).finally(() => {
      reading--;
      watch.stuck();
    });
    files.push({ stream, work });
  });
  parser.once('partsLimit', () => outcome.reject(malformed(`has more than ${maxParts} parts`)));
  parser.on('error', () => outcome.reject(malformed('is broken: it does not end with its boundary')));
  parser.once('finish', () => outcome.resolve());
  const watch = watchForm(source, parser, {
    isReading: () => reading > 0,
    onLost: () => outcome.reject(malformed('is incomplete: the body ended or paused before its end')),
    onStuck: () => outcome.reject(malformed('is broken: it has a part without a readable header')),
  });
  const stopWaiting = handlers.onShutdown?.(outcome.reject);
  source.pipe(parser);
  try {
    await outcome.promise;
    await Promise.all(files.map(({ work }) => work));
  } catch (error) {
    source.unpipe(parser);
    for (const { stream } of files) stream.destroy(error instanceof Error ? error : undefined);
    await Promise.allSettled(files.map(({ work }) => work));
    throw error;
  } finally {
    watch.stop();
    stopWaiting?.();
  }
}

function openParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name, _, filename) => filename !== undefined || name === 'file',
      preservePath: true,
      limits: { parts: maxParts, fieldSize: limits.uploadFieldBytes, headerSize: maxHeaderBytes },
    });
  } catch {
    throw fieldIssue('Content-Type', 'must name the boundary of the multipart form');
  }
}

interface FormWatch {
  isReading(): boolean;
  onLost(): void;
  onStuck(): void;
}

/** More turns of the event loop than the parser takes for any step that does not wait for a file. */
const stuckTurns = 50;

/**
 * Calls `onLost` when the sender goes away or sends nothing for too long, and `onStuck` when the parser stops reading:
 * @fastify/busboy 3.2 waits for ever after a large part whose header it cannot read.
 */
function watchForm(source: Readable, parser: BusboyInstance, { isReading, onLost, onStuck }: FormWatch) {
  let watching = true;
  const timer = setTimeout(onLost, limits.uploadStallMilliseconds);
  const onData = () => void timer.refresh();
  const onClose = () => {
    if (!source.readableEnded) onLost();
  };
  const stuck = (turns = 0): void => {
    const waits = source.readableEnded ? !parser.writableFinished : source.isPaused();
    if (!watching || !waits || isReading()) return;
    if (turns < stuckTurns) setImmediate(stuck, turns + 1);
    else onStuck();
  };
  const onPause = () => stuck();
  source.on('data', onData).on('error', onLost).on('close', onClose);
  source.on('pause', onPause).on('end', onPause);
  if (source.destroyed) onClose();
  return {
    stuck,
    stop() {
      watching = false;
      clearTimeout(timer);
      source.off('data', onData).off('error', onLost).off('close', onClose);
      source.off('pause', onPause).off('end', onPause);
    },
  };
}

/** A field's name, shortened and escaped for an error message. */
export const showField = (name: string | undefined): string =>
  name !== undefined && /^[\w.-]{1,40}$/.test(name) ? name : JSON.stringify((name ?? '').slice(0, 40));
