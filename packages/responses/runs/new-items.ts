import { keyOfItem, runOfKey } from '../ids.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';

/** An item of a request, and its place there. */
export interface PlacedItem {
  item: Item;
  at: string;
}

/** What a request tells a run. */
export interface NewItems {
  items: readonly PlacedItem[];
  /** The run that it goes on from. */
  previousRunId?: string;
}

const isMessage = ({ type }: Item): boolean => (type ?? 'message') === 'message';

/**
 * Some clients send their whole conversation in place of `previous_response_id`. Where it has more than messages, the last item of a
 * response tells the run, and what follows the first item of that response is new.
 */
export function newItems({ input = [], previous_response_id: named }: ResponsesRequest): NewItems {
  const whole = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const items = whole.map((item: Item, index) => ({ item, at: `input[${index}]` }));
  if (named) return { items, previousRunId: named };
  const keyOf = ({ item: { id } }: PlacedItem) => (typeof id === 'string' ? keyOfItem(id) : undefined);
  const last = whole.every(isMessage) ? undefined : items.findLast((each) => keyOf(each) !== undefined);
  const key = last && keyOf(last);
  if (key === undefined) return { items };
  const first = items.findIndex((each) => keyOf(each) === key);
  return {
    items: items.slice(first).filter((each) => keyOf(each) !== key),
    previousRunId: runOfKey(key),
  };
}
