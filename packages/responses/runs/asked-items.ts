import type { AskedCall } from '@errand/agent';
import { createCallWriter } from '../answer/call-items.ts';
import type { ItemList } from '../answer/item-list.ts';
import type { ApprovalRequestItem, Emit } from '../answer/items.ts';
import { approvalRequestIdOf, functionCallIdOf } from '../ids.ts';
import { remoteName } from './tool-items.ts';

/** Tells of the calls that a run asks its caller to make or to approve. `key` is that of the response. */
export function tellAsked(list: ItemList, emit: Emit, key: string, calls: readonly AskedCall[]): void {
  const functions = createCallWriter(list.beginCall, (name) => ({ called: { name }, isCustom: false }), emit);
  for (const { id, type, name, arguments: json } of calls) {
    if (type === 'function') {
      functions.write({ id: functionCallIdOf(id, key), function: { name, arguments: json } });
      functions.close('completed');
      continue;
    }
    const { item, index } = list.add<ApprovalRequestItem>('mcpr', {
      id: approvalRequestIdOf(id, key),
      type: 'mcp_approval_request',
      ...(remoteName(name) ?? { server_label: '', name }),
      arguments: json,
    });
    emit('response.output_item.added', { output_index: index, item });
    emit('response.output_item.done', { output_index: index, item });
  }
}
