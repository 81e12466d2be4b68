import { isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { tokensOfBase64 } from '../count-chat.ts';
import { readTokenCount } from '../usage.ts';

const isEmpty = (input: unknown): boolean => Object.keys(input ?? {}).length === 0;

/** What a block's beginning or a delta has written, as the delta of a chat completion. */
export const writtenIn = ({ text, thinking, content, name, input, partial_json }: Fields): Fields => ({
  // A summary has its text in `content`.
  content: [text, typeof content === 'string' ? content : undefined],
  reasoning_content: thinking,
  // Some servers send the whole input of a call with its beginning.
  tool_calls: [{ function: { name, arguments: partial_json ?? (isEmpty(input) ? undefined : input) } }],
});

/**
 * The tokens of what nobody can read in a block's beginning or in a delta: an estimate, and of a thought that is not shown the
 * provider's own. They count where no usage says what was billed.
 */
export function hiddenTokensIn({ type, data, thinking, estimated_tokens }: Fields): number {
  if (type === 'redacted_thinking') return typeof data === 'string' ? tokensOfBase64(data.length) : 0;
  // A thought that is shown is counted by its text.
  return type === 'thinking_delta' && !thinking ? (readTokenCount(estimated_tokens) ?? 0) : 0;
}

/** The blocks that an event begins: few servers send any with the message's beginning. */
export function begunBlocks({ content_block, message }: Fields): Fields[] {
  const { content } = isFields(message) ? message : {};
  return [content_block, ...(Array.isArray(content) ? content : [])].filter(isFields);
}

/** The tokens of what nobody can read in a message in one piece, estimated. */
export const hiddenTokensOf = (message: unknown): number =>
  begunBlocks({ message }).reduce((sum, block) => sum + hiddenTokensIn(block), 0);

/** Tokens that were counted, with what nobody can read: an estimate, which fills no more than the output that was asked for. */
export const withHidden = (tokens: number, hiddenTokens: number, mostTokens: number): number =>
  tokens + Math.min(hiddenTokens, Math.max(0, mostTokens - tokens));

/** JSON may write any letter of a name as an escape. */
const mayBe = (data: string, end: string): boolean => data.includes(end) || data.includes('\\u');

/** The part of an event's data that can be paid for, in JSON. A beginning has none, unless it is that of a whole block. */
export function paidPart(data: string): string {
  if (data.includes('_delta"')) return data;
  if (!mayBe(data, '_start"')) return '';
  try {
    const event: unknown = JSON.parse(data);
    if (isFields(event) && String(event.type).endsWith('_delta')) return data;
    const choices = begunBlocks(isFields(event) ? event : {}).map((block) => ({ delta: writtenIn(block) }));
    return hasText(choices) ? JSON.stringify({ choices }) : '';
  } catch {
    // The relay breaks the stream off.
    return '';
  }
}

const hasText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasText) : Boolean(value);
