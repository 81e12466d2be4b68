import { type AgentEvent, readResults } from '@errand/agent';
import type { ItemList } from '../answer/item-list.ts';
import type { CustomCallItem, Emit, McpCallItem, WebSearchItem } from '../answer/items.ts';

type CallEvent = Extract<AgentEvent, { type: 'tool_call' }>;

/** The calls of a run's tools. */
interface ToolWriter {
  call(event: CallEvent): void;
  /** Adds what a tool answered. Results come in the order of the calls. */
  answer(result: string): void;
  /** Ends the calls that get no answer any more. */
  close(): void;
}

/** What is to be done with the result of a call; undefined for one that will not come. */
type Answer = (result: string | undefined) => void;

export function createToolWriter(list: ItemList, emit: Emit): ToolWriter {
  const waiting: Answer[] = [];
  return {
    call: (event) => void waiting.push(begin(list, emit, event)),
    answer: (result) => waiting.shift()?.(result),
    close() {
      for (const answer of waiting) answer(undefined);
      waiting.length = 0;
    },
  };
}

function begin(list: ItemList, emit: Emit, event: CallEvent): Answer {
  if (event.toolName === 'web_search') return search(list, emit, event);
  const remote = remoteName(event.toolName);
  return remote ? remoteCall(list, emit, remote, inputOf(event)) : call(list, emit, event);
}

const inputOf = ({ input }: CallEvent): string => (typeof input === 'string' ? input : JSON.stringify(input));

function search(list: ItemList, emit: Emit, { input }: CallEvent): Answer {
  const { item, index } = list.add<WebSearchItem>('ws', {
    type: 'web_search_call',
    status: 'in_progress',
    action: { type: 'search', ...readQueries(input) },
  });
  const place = { output_index: index, item_id: item.id };
  emit('response.output_item.added', { output_index: index, item });
  emit('response.web_search_call.in_progress', place);
  emit('response.web_search_call.searching', place);
  return (result) => {
    item.status = isFailure(result) ? 'failed' : 'completed';
    const found = readResults(result ?? '');
    item.action.sources = found.map(({ url, title }) => ({ type: 'url', url, title }));
    if (item.status === 'completed') emit('response.web_search_call.completed', place);
    emit('response.output_item.done', { output_index: index, item });
  };
}

const isFailure = (result: string | undefined): boolean =>
  result === undefined || result.startsWith('Error:');

/** A model may write anything as arguments. */
function readQueries(input: object | string): { query: string; queries: string[] } {
  const { query, queries } = (typeof input === 'string' ? JSON.parse(input) : input) ?? {};
  const all = [query, ...(Array.isArray(queries) ? queries : [])].filter((one) => typeof one === 'string');
  return { query: all[0] ?? '', queries: [...new Set(all)] };
}

/** The output stands with its call: published clients refuse a whole answer for an item of its own (`@ai-sdk/openai` 3.0.100). */
function call(list: ItemList, emit: Emit, event: CallEvent): Answer {
  const { item, index } = list.add<CustomCallItem>('ctc', {
    type: 'custom_tool_call',
    status: 'in_progress',
    call_id: `call_${list.items.length}`,
    name: event.toolName,
    input: inputOf(event),
  });
  const place = { output_index: index, item_id: item.id };
  emit('response.output_item.added', { output_index: index, item: { ...item, input: '' } });
  emit('response.custom_tool_call_input.delta', { ...place, delta: item.input });
  emit('response.custom_tool_call_input.done', { ...place, input: item.input });
  return (output) => {
    item.status = output === undefined ? 'incomplete' : 'completed';
    if (output !== undefined) item.output = output;
    emit('response.output_item.done', { output_index: index, item });
  };
}

/** A tool of a server that the run was given: `label__tool`. No tool of the run's own has such a name. */
export function remoteName(toolName: string): { server_label: string; name: string } | undefined {
  const at = toolName.indexOf('__');
  return at > 0 ? { server_label: toolName.slice(0, at), name: toolName.slice(at + 2) } : undefined;
}

/** Tells of a call of such a tool, and returns what tells of its result. */
function remoteCall(
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
