import type { ItemList } from '../answer/item-list.ts';
import type { Emit, McpCallItem } from '../answer/items.ts';

/** A tool of a server that the run was given: `label__tool`. No tool of the run's own has such a name. */
export function remoteName(toolName: string): { server_label: string; name: string } | undefined {
  const at = toolName.indexOf('__');
  return at > 0 ? { server_label: toolName.slice(0, at), name: toolName.slice(at + 2) } : undefined;
}

/** Tells of a call of such a tool, and returns what tells of its result. */
export function remoteCall(
  list: ItemList,
  emit: Emit,
  called: { server_label: string; name: string },
  args: string,
): (result: string | undefined) => void {
  const { item, index } = list.add<McpCallItem>('mcp', {
    type: 'mcp_call',
    status: 'in_progress',
    ...called,
    arguments: args,
    output: null,
    error: null,
  });
  const place = { output_index: index, item_id: item.id };
  emit('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } });
  emit('response.mcp_call.in_progress', place);
  emit('response.mcp_call_arguments.delta', { ...place, delta: args });
  emit('response.mcp_call_arguments.done', { ...place, arguments: args });
  return (result) => {
    const failed = result === undefined || result.startsWith('Error:');
    item.status = result === undefined ? 'incomplete' : failed ? 'failed' : 'completed';
    if (failed) item.error = toError(result ?? 'Error: The call was broken off.');
    else item.output = result;
    emit(`response.mcp_call.${failed ? 'failed' : 'completed'}`, place);
    emit('response.output_item.done', { output_index: index, item });
  };
}

const toError = (text: string): McpCallItem['error'] => ({
  type: 'mcp_tool_execution_error',
  content: [{ type: 'text', text }],
});
