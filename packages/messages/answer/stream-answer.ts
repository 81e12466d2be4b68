import type { StreamAnswer } from '@errand/chat';
import { type Impact, readTokenCount, stopReasonOf } from '@errand/models';
import { type Envelope, limits } from '@errand/platform';
import { streamError } from '../errors.ts';
import type { Asked, Stop } from '../wire.ts';
import { messageObject, unended, usageOf } from './message.ts';
import { type Choice, createAnswer } from './pieces.ts';

/** An event as it is sent. */
export const eventText = (event: { type: string; [field: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const pingText = eventText({ type: 'ping' });

const nothingYet = usageOf({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });

/** A message that has just begun. What it costs is told at its end. `told` is what an upstream says of it. */
export function begunMessage(asked: Asked, told: Readonly<Record<string, unknown>> = {}) {
  const own = messageObject(asked, { content: [], stop: unended, usage: nothingYet });
  const usage = { ...nothingYet, ...countsIn(told.usage) };
  return { ...own, ...told, id: own.id, model: own.model, usage };
}

/** What an upstream says of its usage, without counts that are none. */
const countsIn = (usage: unknown): object =>
  Object.fromEntries(
    Object.entries(usage ?? {}).filter(
      ([name, value]) => !name.endsWith('_tokens') || readTokenCount(value) !== undefined,
    ),
  );

/** The event with which a message begins. */
export const startText = (asked: Asked): string =>
  eventText({ type: 'message_start', message: begunMessage(asked) });

/** The events with which a message ends. One that broke off has an error in place of its reason. */
export function endText(
  { requestId }: Asked,
  {
    stop,
    usage,
    impact,
    failure,
    more,
    beside,
  }: {
    stop: Stop;
    usage: object;
    impact: Impact;
    failure: Envelope | undefined;
    /** What an upstream says with its reason, and beside its usage. */
    more?: object;
    beside?: object;
  },
): string {
  const delta = { stop_details: null, container: null, ...more, ...(failure ? unended : stop) };
  const last = eventText({ ...beside, type: 'message_delta', delta, usage, impact });
  return last + eventText(failure ? streamError(failure, requestId) : { type: 'message_stop' });
}

/** No model calls as many tools at once. Nothing is written while they wait, so nothing else would hold a server back. */
const mostWaiting = 1_000;

/** A chat completion's chunks as the events of a message. */
export function streamAnswer(asked: Asked): StreamAnswer {
  let text = '';
  let isBegun = false;
  const answer = createAnswer(asked, (event) => {
    text += eventText(event);
  });
  const begin = () => {
    if (!isBegun) text += startText(asked) + pingText;
    isBegun = true;
  };
  const take = () => {
    const taken = text;
    text = '';
    return taken;
  };
  return {
    keepsEmptyChunks: true,
    write({ choices }) {
      begin();
      for (const choice of choices as (Choice | null)[])
        if (choice && (choice.index ?? 0) === 0) answer.add(choice);
      if (answer.waiting() > mostWaiting || answer.held() > limits.streamEventCharacters)
        throw new Error('too many blocks wait, or too long ones');
      return take();
    },
    end({ relayed, failure, tokens, impact }) {
      begin();
      answer.close();
      const stop = stopOf(asked, relayed.finished, answer.called());
      text += endText(asked, { stop, usage: usageOf(tokens), impact, failure });
      return take();
    },
  };
}

/** Why a chat completion ended. Few servers say which sequence it was. */
export function stopOf(
  { request: { stop_sequences } }: Asked,
  choice: Choice | undefined,
  called: boolean,
): Stop {
  const { finish_reason, stop_reason: sequence } = choice ?? {};
  const known = Array.isArray(stop_sequences) && stop_sequences.includes(sequence);
  if (finish_reason === 'stop' && known && typeof sequence === 'string')
    return { stop_reason: 'stop_sequence', stop_sequence: sequence };
  return { stop_reason: stopReasonOf(finish_reason, called), stop_sequence: null };
}

/** The event of a stream of which nothing was written. */
export const refusedStream = ({ requestId }: Asked, envelope: Envelope): string =>
  eventText(streamError(envelope, requestId));
