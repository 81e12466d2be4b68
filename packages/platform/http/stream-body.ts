import { PassThrough, type Writable } from 'node:stream';
import { createStreamWriter, type StreamWriter, type StreamWriterOptions } from './stream-writer.ts';

/** Writes a body, then resolves. Rejects to break the connection, so that a client sees a failure and not an end. */
type WriteBody = (writer: StreamWriter) => Promise<void>;

/**
 * The key of a body's function that writes it to a Node writable. A web stream in between would cost more than all
 * other work.
 */
const rawWrite = Symbol('rawWrite');

/** Resolves with whether the client was there to the end. */
type RawWrite = (out: Writable, options?: StreamWriterOptions) => Promise<boolean>;

const withRawWrite = (body: ReadableStream<Uint8Array>, write: RawWrite): ReadableStream<Uint8Array> =>
  Object.assign(body, { [rawWrite]: write });

/** A body of known bytes. It is written raw where there is a Node writable (`rawWriteOf`). */
export function bytesBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return withRawWrite(body, async (out) => {
    out.on('error', () => {});
    if (!out.destroyed) out.end(bytes);
    return !out.destroyed;
  });
}

/**
 * A body that `write` produces. It is written raw where there is a Node writable (`rawWriteOf`), and read as a web
 * stream elsewhere. `write` is called only when the raw write or the reading begins.
 */
export function streamBody(write: WriteBody): ReadableStream<Uint8Array> {
  let pipe: PassThrough | undefined;
  let pieces: AsyncIterator<Buffer> | undefined;
  const start = (): PassThrough => {
    const started = new PassThrough();
    pipe = started;
    pieces = started[Symbol.asyncIterator]();
    writeBody(write, started).catch((error) => started.destroy(error));
    return started;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!pieces) start();
        const { done, value } = await (pieces as AsyncIterator<Buffer>).next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        (pipe ?? start()).destroy();
      },
    },
    { highWaterMark: 0 },
  );
  return withRawWrite(body, (out, options) => writeBody(write, out, options));
}

/**
 * A function that writes the response's body to a Node writable and ends it. It rejects when the body breaks off, and
 * its caller then breaks the connection. Undefined for a body that was not made here.
 */
export const rawWriteOf = ({ body }: Response): RawWrite | undefined =>
  (body as { [rawWrite]?: RawWrite } | null)?.[rawWrite];

async function writeBody(write: WriteBody, out: Writable, options?: StreamWriterOptions): Promise<boolean> {
  const writer = createStreamWriter(out, options);
  try {
    await write(writer);
    await writer.end();
    return !writer.left();
  } catch (error) {
    writer.stop();
    throw error;
  }
}
