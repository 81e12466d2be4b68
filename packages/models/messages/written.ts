import type { Fields } from '../chat-messages.ts';
import { isFields } from './fields.ts';

const isEmpty = (input: unknown): boolean => Object.keys(input ?? {}).length === 0;

/** What a block's beginning or a delta has written, as the delta of a chat completion. */
export const writtenIn = ({ text, thinking, content, name, input, partial_json }: Fields): Fields => ({
  // A summary has its text in `content`.
  content: [text, typeof content === 'string' ? content : undefined],
  reasoning_content: thinking,
  // Some servers send the whole input of a call with its beginning.
  tool_calls: [{ function: { name, arguments: partial_json ?? (isEmpty(input) ? undefined : input) } }],
});

/** The blocks that an event begins: few servers send any with the message's beginning. */
export function begunBlocks({ content_block, message }: Fields): Fields[] {
  const { content } = isFields(message) ? message : {};
  return [content_block, ...(Array.isArray(content) ? content : [])].filter(isFields);
}

/** The part of an event's data that can be paid for, in JSON. A beginning has none, unless it is that of a whole block. */
export function paidPart(data: string): string {
  if (data.includes('_delta"')) return data;
  if (!data.includes('_start"')) return '';
  try {
    const event: unknown = JSON.parse(data);
    const choices = begunBlocks(isFields(event) ? event : {}).map((block) => ({ delta: writtenIn(block) }));
    return hasText(choices) ? JSON.stringify({ choices }) : '';
  } catch {
    // The relay breaks the stream off.
    return '';
  }
}

const hasText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasText) : Boolean(value);
