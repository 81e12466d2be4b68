import { createParser } from 'eventsource-parser';

/** Resolves when the stream of a run has brought its first event. */
export async function firstEvent(stream: Response): Promise<void> {
  let seen = false;
  const parser = createParser({
    onEvent: () => {
      seen = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (seen) return;
  }
  throw new Error(`a run's stream had no event: ${stream.status}`);
}
