import { itemIdOf } from '../ids.ts';
import type { Item } from '../request/schema.ts';

/** The items of an input as they are kept: with their type, their content as parts, and an id that no other one has. */
export function nameItems(items: readonly Item[], key: string): Item[] {
  const taken = new Set<unknown>();
  return items.map((item, index) => {
    const isOwn = typeof item.id === 'string' && !taken.has(item.id);
    const id = isOwn ? item.id : itemIdOf(`msg_in_${index}`, key);
    taken.add(id);
    return { ...item, ...written(item), id };
  });
}

function written({ type = 'message', role, content }: Item): Item {
  if (type !== 'message' || typeof content !== 'string') return { type };
  const part = role === 'assistant' ? { type: 'output_text', annotations: [] } : { type: 'input_text' };
  return { type, content: [{ ...part, text: content }] };
}
