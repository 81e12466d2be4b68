import { type Clock, type Envelope, formatEvent, readJsonText } from '@errand/platform';
import type { Answering, Dialect, StreamAnswer } from './dialect.ts';
import { findFinished, formatChunk } from './stream/chunk.ts';
import { lastChunk } from './stream/last-chunk.ts';
import { replaceEntries } from './upstream-body.ts';

const doneEvent = formatEvent({ data: '[DONE]' });
const eventOf = (data: object): string => formatEvent({ data: JSON.stringify(data) });

/** OpenAI's chat completions, in which the upstreams are spoken to as well: whatever they write reaches the caller. */
export const completionsDialect = (deps: { clock: Clock }): Dialect => ({
  read: async (c) => ({ text: await readJsonText(c), answering: answeringOf(deps) }),
});

const answeringOf = (deps: { clock: Clock }): Answering => ({
  stream: ({ modelId, body }) =>
    streamAnswer(deps, { modelId, separate: body.stream_options?.include_usage === true }),
  whole: async ({ modelId }, { bytes, usage, impact }) =>
    replaceEntries(bytes, {
      model: JSON.stringify(modelId),
      usage: JSON.stringify(usage),
      impact: JSON.stringify(impact),
    }),
  refusal: (_, envelope: Envelope) => eventOf(envelope) + doneEvent,
});

/**
 * Passes chunks on with the model's name replaced and without usage. Unless the caller wants usage in a chunk of its own,
 * a chunk with a finish_reason is held back until the next one comes; the stream's last one carries usage and impact.
 */
export function streamAnswer(
  deps: { clock: Clock },
  { modelId, separate }: { modelId: string; separate: boolean },
): StreamAnswer {
  let heldEvent = '';
  return {
    keepsEmptyChunks: !separate,
    write(chunk, relayed) {
      const event = formatChunk(chunk, modelId);
      const holds = !separate && findFinished(chunk.choices) !== undefined;
      const text = holds ? heldEvent : heldEvent + event;
      relayed.held = holds ? chunk : undefined;
      heldEvent = holds ? event : '';
      return text;
    },
    end({ relayed, usage, impact, failure }) {
      const last = lastChunk(deps, relayed, { modelId, usage, impact, whole: !failure, separate });
      return eventOf(last) + (failure ? eventOf(failure) : '') + doneEvent;
    },
  };
}
