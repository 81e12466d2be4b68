import { type EventRelay, nothingRelayed, type StreamAnswer } from '@errand/chat';
import {
  addMessageUsage,
  begunBlocks,
  finishReasonOf,
  hiddenTokensIn,
  paidPart,
  readUsage,
  stopReasonOf,
  toChatUsage,
  writtenIn,
} from '@errand/models';
import { isFields } from '@errand/platform';
import { usageOf } from '../answer/message.ts';
import { begunMessage, endText, eventText, startText } from '../answer/stream-answer.ts';
import type { Fields } from '../request/fields.ts';
import type { Asked, Block, Stop } from '../wire.ts';
import { wrapThinking } from './own-thinking.ts';
import { toldUsage } from './told-usage.ts';

interface Event extends Fields {
  type: string;
}

interface Streaming {
  asked: Asked;
  relayed: EventRelay['relayed'];
  isBegun: boolean;
  /** What is read of the usage so far. */
  counts: Fields;
  /** All of the first report and of the latest. They are joined once: a report may have many fields. */
  firstUsage: Fields;
  usage: Fields;
  /** The place of the block that has begun and not ended: the protocol has one at a time. */
  open: number | undefined;
  called: boolean;
  /** The event with which the upstream's message ends. It is held back until it is charged. */
  last: Event | undefined;
}

/** Passes the events of an upstream on: with our id, model and numbers, and our marks of its thinking. */
export function nativeStream(asked: Asked): { relay: EventRelay; answer: StreamAnswer } {
  const relayed = nothingRelayed();
  const streaming: Streaming = {
    asked,
    relayed,
    isBegun: false,
    counts: {},
    firstUsage: {},
    usage: {},
    open: undefined,
    called: false,
    last: undefined,
  };
  return {
    relay: {
      relayed,
      accept: (data) => (relayed.done || data.trim() === '' ? '' : tryAccept(streaming, data)),
      metered: paidPart,
    },
    answer: {
      keepsEmptyChunks: true,
      write: () => '',
      end: (ending) => end(streaming, ending),
    },
  };
}

/** The text to pass on for an event. Undefined for an error, or for what is no event of a message. */
function tryAccept(streaming: Streaming, data: string): string | undefined {
  try {
    const event: unknown = JSON.parse(data);
    return isEvent(event) ? accept(streaming, event, data) : undefined;
  } catch {
    // The data cannot be read, or is nested too deep to be written again.
    return undefined;
  }
}

const isEvent = (event: unknown): event is Event => {
  const { type } = (event ?? {}) as { type?: unknown };
  return typeof type === 'string' && /^\w+$/.test(type) && type !== 'error';
};

function accept(streaming: Streaming, event: Event, data: string): string | undefined {
  if (event.type === 'message_start') return begin(streaming, event);
  if (!streaming.isBegun) return event.type === 'ping' ? '' : undefined;
  if (event.type === 'message_delta') return hold(streaming, event);
  if (event.type === 'message_stop') {
    streaming.relayed.done = true;
    return '';
  }
  const told = readBlock(streaming, event);
  // Events that are not changed are passed on as they came.
  const isLine = told === event && !data.includes('\n');
  return isLine ? `event: ${event.type}\ndata: ${data}\n\n` : eventText(told);
}

function begin(streaming: Streaming, event: Event): string {
  if (streaming.isBegun) return '';
  streaming.isBegun = true;
  const { asked } = streaming;
  const { usage: told, ...message } = fieldsOf(event.message);
  const usage = noteUsage(streaming, fieldsOf(told));
  streaming.firstUsage = usage;
  for (const block of begunBlocks(event)) count(streaming, block);
  return eventText({ ...event, message: begunMessage(asked, { ...message, usage }) });
}

/** A text has a field for each of its characters. */
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/**
 * Keeps a usage that can be charged. Only that of the end counts what the model thinks without a word. Returns what callers are told
 * of it.
 */
function noteUsage(streaming: Streaming, told: Fields): Fields {
  const { relayed, asked } = streaming;
  streaming.counts = addMessageUsage(streaming.counts, told);
  streaming.usage = toldUsage(asked, told);
  const counted = toChatUsage(streaming.counts);
  if (readUsage(counted)) {
    relayed.usage = counted;
    relayed.usageIsOld = relayed.finished === undefined;
  }
  return streaming.usage;
}

function hold(streaming: Streaming, event: Event): string {
  // An event that cannot be written again must fail here, not in the last event after the charge.
  JSON.stringify(event);
  streaming.last = event;
  const reason = fieldsOf(event.delta).stop_reason ?? null;
  if (reason !== null) streaming.relayed.finished = { index: 0, finish_reason: finishReasonOf(reason) };
  if (isFields(event.usage)) noteUsage(streaming, event.usage);
  return '';
}

/** Notes what an event says of a block. Returns the event, changed if it has a signature of thinking. */
function readBlock(streaming: Streaming, event: Event): Event {
  const { tag } = streaming.asked;
  const block = event.content_block as Block | null | undefined;
  const delta = event.delta as Block | null | undefined;
  const { index } = event;
  if (event.type === 'content_block_stop' && streaming.open === index) streaming.open = undefined;
  if (event.type === 'content_block_start' && block) {
    if (typeof index === 'number') streaming.open = index;
    if (block.type === 'tool_use') streaming.called = true;
    count(streaming, block);
    return withPart(event, 'content_block', block, wrapThinking(tag, block));
  }
  if (event.type !== 'content_block_delta' || !delta) return event;
  count(streaming, delta);
  // A signature has the type of thinking that it is in.
  const { signature } = wrapThinking(tag, { type: 'thinking', signature: delta.signature });
  return delta.type === 'signature_delta' ? withPart(event, 'delta', delta, { ...delta, signature }) : event;
}

const withPart = (event: Event, name: string, before: Block, after: Block): Event =>
  before === after ? event : { ...event, [name]: after };

function count({ relayed }: Streaming, part: Fields): void {
  relayed.hiddenTokens += hiddenTokensIn(part);
  if (relayed.written.add({ choices: [{ index: 0, delta: writtenIn(part) }] })) relayed.usageIsOld = true;
}

function end(
  { asked, isBegun, open, firstUsage, usage, called, last }: Streaming,
  { relayed, tokens, impact, failure }: Parameters<StreamAnswer['end']>[0],
): string {
  const { type: _, delta, usage: __, ...beside } = last ?? { type: '' };
  const told: Fields & Partial<Stop> = fieldsOf(delta);
  const stop = {
    stop_reason: told.stop_reason ?? stopReasonOf(relayed.finished?.finish_reason, called),
    stop_sequence: told.stop_sequence ?? null,
  };
  const ended = open === undefined ? '' : eventText({ type: 'content_block_stop', index: open });
  // What is null at the end says nothing of what was told before.
  const own = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
  const numbers = { usage: usageOf(tokens, { ...firstUsage, ...own }), impact };
  const rest = endText(asked, { stop, ...numbers, failure, more: told, beside });
  return (isBegun ? '' : startText(asked)) + ended + rest;
}
