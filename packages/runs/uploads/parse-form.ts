import type { Readable } from 'node:stream';
import { limits } from '@errand/platform';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { fieldIssue } from './upload.ts';

export interface FormFile {
  name: string;
  /** As the sender wrote it; undefined where the part has none. */
  filename: string | undefined;
  stream: AsyncIterable<Uint8Array>;
}

export interface FormHandlers {
  field(name: string, value: string): void;
  /** Must read the stream to its end, or throw. */
  file(file: FormFile): Promise<void>;
}

const maxParts = 24;
const maxHeaderBytes = 16 * 1024;

const malformed = (problem: string) => fieldIssue('', `The multipart form ${problem}.`);

/**
 * Reads a multipart form piece by piece, as fast as its file is taken. Ends with the first thing that is wrong
 * (`invalid_request`, or what a handler throws) without reading on; the source is left undestroyed, so that the
 * answer can still be sent on its connection.
 */
export async function parseForm(
  source: Readable,
  contentType: string,
  handlers: FormHandlers,
): Promise<void> {
  const parser = openParser(contentType);
  const outcome = Promise.withResolvers<void>();
  const files: { stream: Readable; work: Promise<void> }[] = [];
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
    work.catch(outcome.reject);
    files.push({ stream, work });
  });
  parser.once('partsLimit', () => outcome.reject(malformed(`has more than ${maxParts} parts`)));
  parser.on('error', () => outcome.reject(malformed('is broken: it does not end with its boundary')));
  parser.once('finish', () => outcome.resolve());
  const stopWatching = watchSource(source, () =>
    outcome.reject(malformed('is incomplete: the body ended or paused before its end')),
  );
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
    stopWatching();
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

/** Calls back when the sender goes away or sends nothing for too long. */
function watchSource(source: Readable, onLost: () => void): () => void {
  const timer = setTimeout(onLost, limits.uploadStallMilliseconds);
  const onData = () => void timer.refresh();
  const onClose = () => {
    if (!source.readableEnded) onLost();
  };
  source.on('data', onData).on('error', onLost).on('close', onClose);
  if (source.destroyed) onClose();
  return () => {
    clearTimeout(timer);
    source.off('data', onData).off('error', onLost).off('close', onClose);
  };
}

/** A field's name as a message can show it. */
export const showField = (name: string | undefined): string =>
  name !== undefined && /^[\w.-]{1,40}$/.test(name) ? name : JSON.stringify((name ?? '').slice(0, 40));
