import type { ItemStatus } from '../answer/items.ts';
import { type Fields, isFields } from './upstream-response.ts';

/** The items of an upstream's stream, as far as its events have told them. */
export interface StreamedItems {
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

export function createStreamedItems(): StreamedItems {
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
