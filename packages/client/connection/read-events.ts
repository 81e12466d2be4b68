import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { ConnectionError } from '../errors.ts';
import { type Connection, connectionError } from './connection.ts';
import { strangeAnswer } from './read-json.ts';

/** Three times the service's longest silence in a stream: after it the connection is taken for dead. */
const silenceMilliseconds = 45_000;

/** No event of a service is as long. An endless one would fill the memory. */
const longestEventCharacters = 32 * 1024 * 1024;

interface StreamSigns {
  /** Comments say that the stream lives. */
  onComment?(comment: string): void;
  /** How long the service asks readers to wait before they come back. */
  onRetry?(milliseconds: number): void;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readPiece({ wait }: Connection, reader: Reader) {
  const timer = new AbortController();
  const silence = wait(silenceMilliseconds, timer.signal).then(() => {
    throw new ConnectionError('The service has fallen silent.');
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    timer.abort();
  }
}

/** The whole events of a stream as they come. What was cut in the middle of an event is dropped. */
export async function* readEvents(
  connection: Connection,
  response: Response,
  { signal, ...signs }: StreamSigns & { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return;
  const found: EventSourceMessage[] = [];
  const onError = ({ type }: ParseError) => {
    if (type === 'max-buffer-size-exceeded')
      throw strangeAnswer('The service sent an event that is too long.', response);
  };
  const parser = createParser({
    ...signs,
    onEvent: (event) => found.push(event),
    onError,
    maxBufferSize: longestEventCharacters,
  });
  const reader: Reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    while (true) {
      const { done, value } = await readPiece(connection, reader).catch((error: unknown) => {
        throw error instanceof ConnectionError
          ? error
          : connectionError(error, signal, 'The connection broke off.');
      });
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* found.splice(0);
    }
  } finally {
    // A stream that has broken off cannot be cancelled, and need not be.
    await reader.cancel().catch(() => undefined);
  }
}
