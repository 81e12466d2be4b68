import { keyOfItem, keyOfRun, runOfKey } from '../ids.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';

/** An item of a request, and its place there. */
interface PlacedItem {
  item: Item;
  at: string;
}

/** What a request tells a run. */
export interface NewItems {
  items: readonly PlacedItem[];
  /** The run that it goes on from. */
  previousRunId?: string;
}

/** Items that answer what the run before asked for. */
export const replyTypes = ['function_call_output', 'mcp_approval_response'] as const;

export const isReply = ({ type }: Item): boolean => replyTypes.some((reply) => reply === type);

const isMessage = ({ type }: Item): boolean => (type ?? 'message') === 'message';

/** The key of the response that has this item in its output. */
function keyOf({ item }: PlacedItem): string | undefined {
  const { id, call_id: callId } = item;
  if (isReply(item)) return undefined;
  return [id, callId].flatMap((each) => (typeof each === 'string' ? (keyOfItem(each) ?? []) : []))[0];
}

/**
 * Some clients send their whole conversation, in place of `previous_response_id` or beside it. Where it has more than messages, the
 * last item of a response tells the run. What follows the first item of that response is new.
 */
export function newItems({ input = [], previous_response_id: named }: ResponsesRequest): NewItems {
  const whole = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const items = whole.map((item: Item, index) => ({ item, at: `input[${index}]` }));
  const last = named || whole.every(isMessage) ? undefined : items.findLast(keyOf);
  const key = named ? keyOfRun(named) : last && keyOf(last);
  if (key === undefined) return { items };
  const first = Math.max(
    0,
    items.findIndex((each) => keyOf(each) === key),
  );
  return {
    items: items.slice(first).filter((each) => keyOf(each) !== key),
    previousRunId: named ?? runOfKey(key),
  };
}
