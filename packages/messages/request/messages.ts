import { fieldIssue, stringField } from '@errand/platform';
import { idInChat } from '../call-id.ts';
import { readMark } from '../thinking/mark.ts';
import type { MessagesRequest, RequestMessage } from '../wire.ts';
import { joinTexts, type Part, type Reading, toContent, toPart, toParts, withCache } from './blocks.ts';
import { blocksOf, type Fields } from './fields.ts';

interface Message {
  role: string;
  content?: unknown;
  tool_calls?: Call[];
  [field: string]: unknown;
}

interface Call {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** As a message has it. */
type ToolResult = { role: 'tool'; tool_call_id: string; content: unknown };

/** What is said between two answers: results of tools stand before all else, as chat servers want them. */
interface Turn {
  results: ToolResult[];
  /** Pictures and files of the results. */
  attached: Part[];
  said: Part[];
}

/** The protocol's roles, and two that vLLM's clients send. */
const roles: Readonly<Record<string, 'user' | 'assistant' | 'system'>> = {
  ...{ user: 'user', assistant: 'assistant', system: 'system' },
  ...{ ctx: 'user', msg: 'user' },
};

/** A list of many entries is no list of arguments. */
function addAll<T>(to: T[], added: readonly T[]): void {
  for (const each of added) to.push(each);
}

function roleOf({ role }: { role: unknown }, at: string) {
  const known = typeof role === 'string' && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (!known) throw fieldIssue(`${at}.role`, 'must be user, assistant or system');
  return known;
}

/** The messages of a chat completion that say what a conversation says. Empty if it says nothing. */
export function toMessages({ system, messages }: MessagesRequest, reading: Reading): Message[] {
  const prompt = system ? systemParts(system, 'system', reading) : [];
  const conversation: Message[] = [];
  let turn: Turn | undefined;
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const role = roleOf(message, at);
    const isFirst = conversation.length === 0 && !turn;
    if (role === 'assistant') {
      const answer = readAnswer(message, `${at}.content`, reading);
      if (!answer) continue;
      endTurn(conversation, turn);
      turn = undefined;
      addAnswer(conversation, answer);
    } else if (role === 'system' && isFirst) {
      addAll(prompt, systemParts(instructionOf(message), `${at}.content`, reading));
    } else {
      turn ??= { results: [], attached: [], said: [] };
      if (role === 'user') addToTurn(turn, message, `${at}.content`, reading);
      else addAll(turn.said, instruction(instructionOf(message), `${at}.content`, reading));
    }
  }
  endTurn(conversation, turn);
  return conversation.length === 0 ? [] : [...toPrompt(prompt), ...conversation];
}

/** A system message that says from where on another effort holds needs no content. */
const instructionOf = ({ content, output_config }: MessagesRequest['messages'][number]): unknown =>
  content ?? ((output_config ?? null) === null ? content : []);

/**
 * Claude Code begins its prompt with a line for its provider's bills, which is another one in each request: a server that
 * keeps the beginnings of prompts would find none again.
 */
const billingLine = /^x-anthropic-billing-header:[^\n]*\n*/;

const systemParts = (content: unknown, at: string, reading: Reading): Part[] =>
  blocksOf(content, at).flatMap(({ block, at: place }) => {
    if (block.type !== 'text') return [];
    const text = stringField(block, 'text', place).replace(billingLine, '');
    return toPart({ ...block, text }, place, reading);
  });

function toPrompt(parts: readonly Part[]): Message[] {
  if (parts.length === 0) return [];
  const isKept = parts.some((part) => 'cache_control' in part);
  return [{ role: 'system', content: isKept ? parts : joinTexts(parts, '\n\n') }];
}

/** Many servers take a system message at the beginning alone. */
function instruction(content: unknown, at: string, reading: Reading): Part[] {
  const text = joinTexts(systemParts(content, at, reading), '\n\n');
  return text === '' ? [] : [{ type: 'text', text: `<system>\n${text}\n</system>` }];
}

function addToTurn(turn: Turn, { content }: RequestMessage, at: string, reading: Reading): void {
  for (const { block, at: place } of blocksOf(content, at)) {
    if (block.type === 'tool_result') addResult(turn, block, place, reading);
    else addAll(turn.said, toPart(block, place, reading));
  }
}

function addResult(turn: Turn, block: Fields, at: string, reading: Reading): void {
  const id = idInChat(stringField(block, 'tool_use_id', at));
  const parts = toParts(block.content ?? [], `${at}.content`, reading);
  const said = joinTexts(parts, '\n');
  const text: Part = { type: 'text', text: block.is_error === true ? `Error: ${said}` : said };
  const content = toContent(withCache([text], block, reading));
  turn.results.push({ role: 'tool', tool_call_id: id, content });
  const attached = parts.filter(({ type }) => type !== 'text');
  if (attached.length > 0)
    addAll(turn.attached, [{ type: 'text', text: `Of the result of ${id}:` }, ...attached]);
}

function endTurn(messages: Message[], turn: Turn | undefined): void {
  if (!turn) return;
  addAll(messages, inOrderOfCalls(turn.results, messages.at(-1)));
  const parts = [...turn.attached, ...turn.said];
  if (parts.length > 0) messages.push({ role: 'user', content: toContent(parts) });
}

/** A client sends results as they came. Some chat servers tell them by their order alone. What answers no call comes last. */
function inOrderOfCalls(results: readonly ToolResult[], answer: Message | undefined): Message[] {
  const places = new Map((answer?.tool_calls ?? []).map(({ id }, place) => [id, place]));
  const placeOf = ({ tool_call_id }: ToolResult) => places.get(tool_call_id) ?? places.size;
  return results.toSorted((one, other) => placeOf(one) - placeOf(other));
}

interface Answer {
  role: 'assistant';
  content: string | null;
  tool_calls?: Call[];
  reasoning_content?: string;
  reasoning?: string;
}

/** What an assistant says, thinks and calls. Undefined if it neither says nor calls anything. */
function readAnswer({ content }: RequestMessage, at: string, reading: Reading): Answer | undefined {
  const answer: Answer = { role: 'assistant', content: null };
  const calls: Call[] = [];
  for (const { block, at: place } of blocksOf(content, at)) {
    if (block.type === 'text') answer.content = (answer.content ?? '') + stringField(block, 'text', place);
    else if (block.type === 'tool_use') calls.push(toCall(block, place));
    else if (block.type === 'thinking') addThinking(answer, block, reading);
  }
  answer.content ||= null;
  if (calls.length > 0) answer.tool_calls = calls;
  return answer.content !== null || answer.tool_calls ? answer : undefined;
}

/** Between two turns of others there is one answer. */
function addAnswer(messages: Message[], answer: Answer): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return void messages.push({ ...answer });
  const before = last as Message & Answer;
  const { content, tool_calls } = answer;
  if (content !== null)
    before.content = before.content === null ? content : `${before.content}\n\n${content}`;
  if (tool_calls) {
    before.tool_calls ??= [];
    addAll(before.tool_calls, tool_calls);
  }
  for (const field of reasoningFields)
    if (answer[field] !== undefined) before[field] = (before[field] ?? '') + answer[field];
}

const toCall = (block: Fields, at: string): Call => ({
  id: idInChat(stringField(block, 'id', at)),
  type: 'function',
  function: { name: stringField(block, 'name', at), arguments: JSON.stringify(block.input ?? {}) },
});

const reasoningFields = ['reasoning_content', 'reasoning'] as const;

/** Thinking goes back to the model that made it, under the name that it came with. */
function addThinking(answer: Answer, { thinking, signature }: Fields, { tag }: Reading): void {
  const mark = readMark(signature);
  if (mark?.kind !== 'm' || mark.tag !== tag || typeof thinking !== 'string') return;
  const field = reasoningFields.find((name) => name === mark.rest) ?? 'reasoning_content';
  answer[field] = (answer[field] ?? '') + thinking;
}
