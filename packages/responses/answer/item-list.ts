import { itemIdOf } from '../ids.ts';
import type { BeginCall } from './call-items.ts';
import type { CustomCallItem, FunctionCallItem, MessageItem, OutputItem, ReasoningItem } from './items.ts';
import type { BeginText } from './text-items.ts';

/** The items of a response while they are written. */
export interface ItemList {
  items: readonly OutputItem[];
  /** Adds an item under the next id of this name, unless it has an id. */
  add<T extends OutputItem>(name: string, item: Omit<T, 'id'> & { id?: string }): { item: T; index: number };
  beginText: BeginText;
  beginCall: BeginCall;
}

/** `key` is that of the response. */
export function createItemList(key: string): ItemList {
  const items: OutputItem[] = [];
  const status = 'in_progress' as const;
  const add = <T extends OutputItem>(name: string, fields: Omit<T, 'id'> & { id?: string }) => {
    const item = { id: itemIdOf(`${name}_${items.length}`, key), ...fields } as T;
    return { item, index: items.push(item) - 1 };
  };
  return {
    items,
    add,
    beginText: (type) =>
      type === 'message'
        ? add<MessageItem>('msg', { type, status, role: 'assistant', content: [] })
        : add<ReasoningItem>('rs', { type, status, summary: [], content: [] }),
    beginCall: (type) =>
      type === 'custom_tool_call'
        ? add<CustomCallItem>('ctc', { type, status, call_id: '', name: '', input: '' })
        : add<FunctionCallItem>('fc', { type, status, call_id: '', name: '', arguments: '' }),
  };
}
