import { type EventRelay, nothingRelayed, type StreamAnswer } from '@errand/chat';
import { readUsage } from '@errand/models';
import { isFields } from '@errand/platform';
import { endingOf, failedWith, itemStatusOf } from '../answer/ending.ts';
import type { ItemStatus } from '../answer/items.ts';
import { type Finish, type Frame, inProgress, responseObject } from '../answer/response-object.ts';
import { createEvents } from '../answer/stream-answer.ts';
import { itemIdOf } from '../ids.ts';
import { endingBy, type Fields, finishReasonOf, toChatUsage, toldBy, withKey } from './upstream-response.ts';

/** Passes the events of an upstream's response on, as those of ours: with our ids, model and numbers. The last one is held back until it is charged. */
export function nativeStream(frame: Frame, finish: Finish): { relay: EventRelay; answer: StreamAnswer } {
  const relayed = nothingRelayed();
  const { emit, take } = createEvents();
  const streamed = createStreamedItems();
  let last: Fields = {};

  const note = ({ usage }: Fields) => {
    const counted = toChatUsage(usage);
    if (!readUsage(counted)) return;
    relayed.usage = counted;
    relayed.usageIsOld = false;
  };
  const readResponse = (type: string, response: Fields): string | undefined => {
    note(response);
    if (type === 'response.failed') return undefined;
    last = response;
    if (type === 'response.completed' || type === 'response.incomplete') {
      relayed.finished = { index: 0, finish_reason: finishReasonOf(response) };
      relayed.done = true;
      return '';
    }
    emit(type, { response: { ...begun(frame), ...toldBy(response) } });
    return take();
  };
  const readItem = ({ type, sequence_number: _, ...event }: Fields): string => {
    const { item, item_id, delta } = event;
    if (typeof delta === 'string' && relayed.written.add(textOf(type as string, delta)))
      relayed.usageIsOld = true;
    const told = {
      ...event,
      ...(typeof item_id === 'string' && { item_id: itemIdOf(item_id, frame.key) }),
      ...(isFields(item) && { item: withKey(item, frame.key) }),
    };
    emit(type as string, told);
    streamed.add({ type, ...told });
    return take();
  };
  return {
    relay: {
      relayed,
      accept(data) {
        if (relayed.done || data.trim() === '') return '';
        const event = parse(data);
        if (!event || typeof event.type !== 'string' || event.type === 'error') return undefined;
        if (isFields(event.response)) return readResponse(event.type, event.response);
        if (needsResponse.has(event.type)) return undefined;
        return event.type.startsWith('response.') ? readItem(event) : '';
      },
      // Whole items and responses repeat what came in pieces.
      metered: (data) => (data.includes('.delta"') ? data : ''),
    },
    answer: {
      keepsEmptyChunks: true,
      write: () => '',
      async end({ failure, tokens, impact }) {
        const ending = failure
          ? failedWith(failure)
          : relayed.done
            ? endingBy(last)
            : endingOf(relayed.finished?.finish_reason);
        // Some upstreams end with a response that has no items, though they have streamed some.
        const whole = relayed.done ? outputOf(last, frame.key) : [];
        const output = whole.length > 0 ? whole : streamed.items(itemStatusOf(ending));
        const costs = { tokens, impact };
        const response = { ...responseObject(frame, { output, ending, costs }), ...toldBy(last) };
        const told = await finish(response);
        emit(`response.${told.status}`, { response: told });
        return take();
      },
    },
  };
}

/** Events that say nothing without their response. */
const needsResponse: ReadonlySet<string> = new Set(
  ['created', 'queued', 'in_progress', 'completed', 'incomplete', 'failed'].map((name) => `response.${name}`),
);

const begun = (frame: Frame) => responseObject(frame, { output: [], ending: inProgress });

export const outputOf = ({ output }: Fields, key: string): Fields[] =>
  (Array.isArray(output) ? output : []).filter(isFields).map((item) => withKey(item, key));

function parse(data: string): Fields | undefined {
  try {
    const event: unknown = JSON.parse(data);
    return isFields(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Text as a chat completion would have it, for whoever counts what was written. */
const textOf = (type: string, text: string) => ({
  choices: [
    { index: 0, delta: type.includes('reasoning') ? { reasoning_content: text } : { content: text } },
  ],
});

/** The items of an upstream's stream, as far as its events have told them. */
interface StreamedItems {
  add(event: Fields): void;
  /** `status` is what those have that were still being written. */
  items(status: ItemStatus): Fields[];
}

interface Growing {
  /** The part of an item that grows; absent where the item itself does. */
  part?: string;
  field: string;
}

/** What a delta is added to. */
const growing: Readonly<Record<string, Growing>> = {
  'response.output_text.delta': { part: 'output_text', field: 'text' },
  'response.refusal.delta': { part: 'refusal', field: 'refusal' },
  'response.reasoning_text.delta': { part: 'reasoning_text', field: 'text' },
  'response.reasoning_summary_text.delta': { part: 'summary_text', field: 'text' },
  'response.function_call_arguments.delta': { field: 'arguments' },
  'response.custom_tool_call_input.delta': { field: 'input' },
};

function createStreamedItems(): StreamedItems {
  const items = new Map<number, Fields>();
  return {
    add(event) {
      const { type, output_index, item, part, delta } = event;
      if (typeof output_index !== 'number') return;
      if (isFields(item)) items.set(output_index, item);
      const told = items.get(output_index);
      if (!told) return;
      if (isFields(part)) setPart(told, event, part);
      const into = growing[type as string];
      if (!into || typeof delta !== 'string') return;
      const grown = into.part === undefined ? told : partAt(told, event, into.part);
      if (grown) grown[into.field] = textIn(grown[into.field]) + delta;
    },
    items: (status) =>
      [...items.values()].map((item) => (item.status === 'in_progress' ? { ...item, status } : item)),
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Where an event's part is. An upstream may name any place: none but the next one is made. */
function placeOf(item: Fields, { summary_index, content_index }: Fields) {
  const name = summary_index === undefined ? 'content' : 'summary';
  const parts: unknown[] = Array.isArray(item[name]) ? item[name] : [];
  item[name] = parts;
  const index = Number(summary_index ?? content_index ?? 0);
  return Number.isInteger(index) && index >= 0 && index <= parts.length ? { parts, index } : undefined;
}

function setPart(item: Fields, event: Fields, part: Fields): void {
  const place = placeOf(item, event);
  if (place) place.parts[place.index] = part;
}

/** The part that an event names, begun if no event has told its beginning. */
function partAt(item: Fields, event: Fields, type: string): Fields | undefined {
  const { parts, index } = placeOf(item, event) ?? {};
  if (!parts || index === undefined) return undefined;
  if (!isFields(parts[index])) parts[index] = { type };
  return parts[index] as Fields;
}
