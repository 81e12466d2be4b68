import { createParser } from 'eventsource-parser';
import type { Answer } from './client.ts';

export interface StreamEvent {
  id: number;
  type: string;
  data: string;
  /** Milliseconds since the request was sent. */
  at: number;
}

export interface EventStream {
  events: StreamEvent[];
  /** The times at which comments came. */
  comments: number[];
  /** When its first byte came. */
  beganAt: number;
  endedAt: number;
}

/** Longer than any stream of the checks. */
const longestMilliseconds = 1_500_000;

/** Reads an event stream to its end. */
export async function readEvents(answer: Answer): Promise<EventStream> {
  const read: EventStream = { events: [], comments: [], beganAt: 0, endedAt: 0 };
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ id, event = '', data }) =>
      read.events.push({ id: Number(id), type: event, data, at: read.endedAt }),
    onComment: () => read.comments.push(read.endedAt),
  });
  for await (const { at, bytes } of answer.pieces(longestMilliseconds)) {
    read.beganAt ||= at;
    read.endedAt = at;
    parser.feed(decoder.decode(bytes, { stream: true }));
  }
  return read;
}
