import { fieldIssue, isFields, parseExactJson, sha256Hex } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { textIn } from './fields.ts';
import { thinkingBlocks } from './from-message.ts';
import { textBlocks, toBlocks } from './to-blocks.ts';

interface Turn {
  role: 'user' | 'assistant';
  content: Fields[];
}

/** The system prompt and the turns of a conversation. Throws `invalid_request` for what a message cannot have. */
export function toTurns(messages: readonly unknown[]): { system?: Fields[]; messages: Turn[] } {
  const all = messages.map((message) => (isFields(message) ? message : {}));
  const firstOther = all.findIndex((message) => !isPrompt(message));
  // A conversation has at least one turn.
  const prompts = firstOther < 0 ? all.length - 1 : firstOther;
  const system = all
    .slice(0, Math.max(0, prompts))
    .flatMap(({ content }, i) => textBlocks(content, placeOf(i)));
  const turns: Turn[] = [];
  for (let i = Math.max(0, prompts); i < all.length; i++) {
    const { role, content } = toTurn(all[i]!, placeOf(i));
    const before = turns.at(-1);
    if (before?.role === role) for (const block of content) before.content.push(block);
    else if (content.length > 0) turns.push({ role, content });
  }
  for (const turn of turns) if (turn.role === 'user') turn.content = resultsFirst(turn.content);
  trimEnd(turns.at(-1));
  return { ...(system.length > 0 && { system }), messages: turns };
}

const placeOf = (index: number): string => `messages[${index}]`;

const isPrompt = ({ role }: Fields): boolean => role === 'system' || role === 'developer';

function toTurn(message: Fields, place: string): Turn {
  const { role, content, tool_call_id } = message;
  if (isPrompt(message)) return { role: 'user', content: textBlocks(content, place).map(inTags) };
  if (role === 'user') return { role, content: toBlocks(content, place) };
  if (role === 'assistant') return { role, content: assistantBlocks(message, place) };
  if (role !== 'tool')
    throw fieldIssue(`${place}.role`, 'must be system, developer, user, assistant or tool for this model');
  return { role: 'user', content: [toResult(toolId(tool_call_id), toBlocks(content, place))] };
}

/** A prompt within the conversation, which only the newest models take there. */
const inTags = ({ text, ...block }: Fields): Fields => ({ ...block, text: `<system>\n${text}\n</system>` });

/** What is marked to be cached of a result is the result. */
function toResult(id: string, blocks: readonly Fields[]): Fields {
  const mark = blocks.findLast(({ cache_control }) => cache_control !== undefined)?.cache_control;
  const plain = blocks.map(({ cache_control: _, ...block }) => block);
  const [only] = plain;
  const content = plain.length === 1 && only?.type === 'text' ? only.text : plain;
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(plain.length > 0 && { content }),
    ...(mark !== undefined && { cache_control: mark }),
  };
}

function assistantBlocks({ content, refusal, thinking_blocks, tool_calls }: Fields, place: string): Fields[] {
  const thoughts = list(thinking_blocks).filter(isFields).flatMap(thinkingBlocks);
  const calls = list(tool_calls).map((call, i) => toCall(call, `${place}.tool_calls[${i}]`));
  return [...thoughts, ...textBlocks(content, place), ...textBlocks(refusal, place), ...calls];
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function toCall(call: unknown, place: string): Fields {
  const { id, function: called } = isFields(call) ? call : {};
  if (!isFields(called)) throw fieldIssue(place, 'must be the call of a function');
  return { type: 'tool_use', id: toolId(id), name: called.name, input: toInput(called.arguments) };
}

/** A model may have written arguments that are no object. */
function toInput(written: unknown): Fields {
  if (isFields(written)) return written;
  const text = textIn(written);
  if (text.trim() === '') return {};
  try {
    const input = parseExactJson(text);
    if (isFields(input)) return input;
  } catch {
    // It is passed on as it is.
  }
  return { INVALID_JSON: text };
}

const mostIdCharacters = 128;

/** The id of a call, as the protocol allows it: the same for the call and for its result. */
function toolId(id: unknown): string {
  const text = textIn(id);
  if (text.length <= mostIdCharacters && /^[\w-]+$/.test(text)) return text;
  const encoded = `toolu_${Buffer.from(text).toString('base64url')}`;
  return encoded.length <= mostIdCharacters ? encoded : `toolu_${sha256Hex(text)}`;
}

const isResult = ({ type }: Fields): boolean => type === 'tool_result';

const resultsFirst = (blocks: readonly Fields[]): Fields[] => [
  ...blocks.filter(isResult),
  ...blocks.filter((block) => !isResult(block)),
];

/** An answer that is to be gone on with must not end in white space. */
function trimEnd(turn: Turn | undefined): void {
  const last = turn?.content.at(-1);
  if (turn?.role === 'assistant' && last?.type === 'text') last.text = textIn(last.text).trimEnd();
}
