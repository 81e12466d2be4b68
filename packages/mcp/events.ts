import { eventStreamHeaders, streamResponse } from '@errand/platform';

/**
 * The events of one request on their way from the protocol's library to the caller. The library queues whatever it is
 * given. So its events go through the writer of all streams, which waits for a slow reader and cuts off one that reads
 * nothing, and what is told of progress waits for its turn.
 */
export interface Events {
  /** Resolves when the caller has taken what was told before, and when it has gone. */
  turn(): Promise<void>;
  /** The library's answer; if it is a stream, by the writer of all streams. */
  relay(answer: Response): Response;
}

export function createEvents(): Events {
  let taken: PromiseWithResolvers<void> | undefined;
  let isOver = false;
  const onTaken = (over: boolean) => {
    isOver = over;
    taken?.resolve();
    taken = undefined;
  };
  return {
    async turn() {
      await taken?.promise;
      if (!isOver) taken = Promise.withResolvers();
    },
    relay(answer) {
      const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
      const { body } = answer;
      return isStream && body
        ? streamResponse(eventStreamHeaders, (signal) => read(body, signal, onTaken))
        : answer;
    },
  };
}

/** Yields a stream's text. `onTaken` is called when a piece was taken, and with true when no more will be. */
async function* read(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onTaken: (over: boolean) => void,
): AsyncGenerator<string> {
  const reader = body.getReader();
  // The library ends the call then.
  const leave = () => void reader.cancel().catch(() => {});
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
      onTaken(false);
    }
  } finally {
    leave();
    onTaken(true);
  }
}
