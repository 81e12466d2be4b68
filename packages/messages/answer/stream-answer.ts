import type { StreamAnswer } from '@errand/chat';
import type { Envelope } from '@errand/platform';
import type { Asked } from '../wire.ts';

/** A chat completion's chunks as the events of a message. */
export function streamAnswer(_asked: Asked): StreamAnswer {
  throw new Error('to be written');
}

/** The event of a stream of which nothing was written. */
export function refusedStream(_asked: Asked, _envelope: Envelope): string {
  throw new Error('to be written');
}

/** An event as it is sent. */
export const eventText = (event: { type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const pingText = eventText({ type: 'ping' });
