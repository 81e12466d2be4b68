import { fieldIssue, stringField } from '@errand/platform';
import { nameInChat } from './namespaces.ts';
import { toContent, toText } from './parts.ts';
import type { Item } from './schema.ts';

interface Message {
  role: string;
  content?: unknown;
  tool_calls?: object[];
  tool_call_id?: string;
  reasoning_content?: string;
}

type Add = (messages: Message[], item: Item, at: string) => void;

const kinds: Readonly<Record<string, Add>> = {
  message: addMessage,
  function_call: (messages, item, at) => {
    const called = { name: calledName(item, at), arguments: stringField(item, 'arguments', at) };
    addCall(messages, item, at, { type: 'function', function: called });
  },
  custom_tool_call: (messages, item, at) => {
    // A run has called the tool itself.
    if ('output' in item) throw fieldIssue(`${at}.type`, ofRun('custom_tool_call with an output'));
    const called = { name: calledName(item, at), input: stringField(item, 'input', at) };
    addCall(messages, item, at, { type: 'custom', custom: called });
  },
  function_call_output: addOutput,
  custom_tool_call_output: addOutput,
  reasoning: addReasoning,
};

const calledName = (item: Item, at: string): string =>
  nameInChat(item.namespace, stringField(item, 'name', at));

/** The messages of a chat completion that say what the instructions and the items of a conversation say. Faults name places in `own`. */
export function toMessages(
  instructions: string | null | undefined,
  { earlier, own }: { earlier: readonly Item[]; own: readonly Item[] },
): Message[] {
  const messages: Message[] = instructions ? [{ role: 'system', content: instructions }] : [];
  for (const [place, item] of [...earlier, ...own].entries()) {
    const at = `input[${place - earlier.length}]`;
    const type = item.type ?? 'message';
    const add = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (!add) throw fieldIssue(`${at}.type`, notTaken(type));
    add(messages, item, at);
  }
  return joinBeginning(messages).filter(({ content, tool_calls }) => content !== null || tool_calls);
}

/** What a response of a run has in its output, and no chat model reads. */
const ofRuns: readonly unknown[] = [
  ...['web_search_call', 'mcp_call', 'mcp_list_tools'],
  ...['mcp_approval_request', 'mcp_approval_response'],
];

const taken = (): string => `must be one of ${Object.keys(kinds).join(', ')}`;

const ofRun = (type: string): string =>
  `${type} is of a run, whose messages alone a chat model takes: ${taken()}`;

const notTaken = (type: unknown): string => (ofRuns.includes(type) ? ofRun(String(type)) : taken());

const roles: Readonly<Record<string, string>> = {
  ...{ user: 'user', assistant: 'assistant', system: 'system' },
  // Few servers know its newer name.
  developer: 'system',
};

function addMessage(messages: Message[], item: Item, at: string): void {
  const role =
    typeof item.role === 'string' && Object.hasOwn(roles, item.role) ? roles[item.role] : undefined;
  if (!role) throw fieldIssue(`${at}.role`, `must be one of ${Object.keys(roles).join(', ')}`);
  const place = `${at}.content`;
  if (role === 'user') messages.push({ role, content: toContent(item.content, place) });
  else if (role === 'system') messages.push({ role, content: toText(item.content, place, '\n\n') });
  else addAnswer(messages, toText(item.content, place));
}

/** What an assistant said, thought and called between two messages of others is one message. */
function turnOf(messages: Message[]): Message {
  const last = messages.at(-1);
  if (last?.role === 'assistant') return last;
  const turn: Message = { role: 'assistant', content: null };
  messages.push(turn);
  return turn;
}

function addAnswer(messages: Message[], content: string): void {
  const turn = turnOf(messages);
  if (turn.content === null) turn.content = content;
  else messages.push({ role: 'assistant', content });
}

function addCall(messages: Message[], item: Item, at: string, call: object): void {
  const turn = turnOf(messages);
  turn.tool_calls ??= [];
  turn.tool_calls.push({ id: stringField(item, 'call_id', at), ...call });
}

function addOutput(messages: Message[], item: Item, at: string): void {
  const tool_call_id = stringField(item, 'call_id', at);
  messages.push({ role: 'tool', tool_call_id, content: toContent(item.output, `${at}.output`) });
}

/** Models that think between calls of tools want to read what they thought. Of what is encrypted nothing can be said. */
function addReasoning(messages: Message[], item: Item, at: string): void {
  const text = item.content ? toText(item.content, `${at}.content`) : '';
  if (text === '') return;
  const turn = turnOf(messages);
  turn.reasoning_content = (turn.reasoning_content ?? '') + text;
}

/** Many servers take one system message, at the beginning alone. */
function joinBeginning(messages: Message[]): Message[] {
  const others = messages.findIndex(({ role }) => role !== 'system');
  const leading = others < 0 ? messages : messages.slice(0, others);
  if (leading.length < 2) return messages;
  const content = leading.map((message) => message.content).join('\n\n');
  return [{ role: 'system', content }, ...messages.slice(leading.length)];
}
