import type { Impact } from '@errand/models';
import { type Clock, type Envelope, formatEvent, newUuid, readJsonText, toSeconds } from '@errand/platform';
import type { Answering, Dialect, StreamAnswer } from './dialect.ts';
import { findFinished, formatChunk } from './stream/chunk.ts';
import type { Relayed } from './stream/relayed.ts';
import { replaceEntries } from './upstream-body.ts';

const doneEvent = formatEvent({ data: '[DONE]' });
const eventOf = (data: object): string => formatEvent({ data: JSON.stringify(data) });

/** OpenAI's chat completions. The upstreams speak this dialect too, so whatever they write reaches the caller. */
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

interface LastChunk {
  modelId: string;
  usage: object;
  impact: Impact;
  /** Whether the upstream's answer is complete. */
  whole: boolean;
  /** Whether the caller asked for usage in a separate chunk with empty choices. */
  separate: boolean;
}

/**
 * The last chunk, with usage and impact. The chunk is the upstream's held-back chunk with a finish_reason, or a new
 * chunk. It keeps the other fields of the upstream's chunks without choices.
 */
function lastChunk(
  { clock }: { clock: Clock },
  { last, held, withoutChoices, finished }: Relayed,
  { modelId, usage, impact, whole, separate }: LastChunk,
): object {
  const identity = held ?? last ?? {};
  const { system_fingerprint, service_tier } = last ?? {};
  // A finish_reason that was passed on earlier is repeated, so that it stands beside the usage.
  const ending = { index: 0, delta: {}, finish_reason: null, ...(whole && finished && said(finished)) };
  return {
    ...held,
    ...withoutChoices,
    id: identity.id ?? `chatcmpl-${newUuid()}`,
    object: 'chat.completion.chunk',
    created: identity.created ?? toSeconds(clock()),
    model: modelId,
    ...(system_fingerprint !== undefined && { system_fingerprint }),
    ...(service_tier !== undefined && { service_tier }),
    choices: separate ? [] : (held?.choices ?? [ending]),
    usage,
    impact,
  };
}

const said = ({ index, finish_reason }: { index?: unknown; finish_reason?: unknown }) => ({
  index,
  finish_reason,
});
