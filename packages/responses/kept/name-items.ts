import { itemIdOf, keyOfItem } from '../ids.ts';
import type { Item } from '../request/schema.ts';

/**
 * The items of an input as they are kept: with their type, their content as parts, and an id that no other one has. `key` is that
 * of the response: an id that a caller made up ends in it from now on.
 */
export function nameItems(items: readonly Item[], key: string): Item[] {
  const taken = new Set<string>();
  const claim = ({ id }: Item): string | undefined => {
    if (typeof id !== 'string' || id === '') return undefined;
    const own = keyOfItem(id) ? id : itemIdOf(id, key);
    if (taken.has(own)) return undefined;
    taken.add(own);
    return own;
  };
  const claimed = items.map(claim);
  let next = 0;
  const newItemId = (): string => {
    let id: string;
    do id = itemIdOf(`msg_in_${next++}`, key);
    while (taken.has(id));
    return id;
  };
  return items.map((item, index) => ({ ...item, ...written(item), id: claimed[index] ?? newItemId() }));
}

function written({ type = 'message', role, content }: Item): Item {
  if (type !== 'message' || typeof content !== 'string') return { type };
  const part = role === 'assistant' ? { type: 'output_text', annotations: [] } : { type: 'input_text' };
  return { type, content: [{ ...part, text: content }] };
}
