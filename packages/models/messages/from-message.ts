import { isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { textIn } from './fields.ts';
import { toChatUsage } from './message-usage.ts';
import { finishReasonOf } from './stop-reasons.ts';

/** A message as a chat completion, without its date. Undefined if it cannot be read. */
export function fromMessage(
  message: unknown,
): (Fields & { choices: unknown[]; usage?: unknown }) | undefined {
  if (!isFields(message) || !Array.isArray(message.content)) return undefined;
  const { id, model, stop_reason, usage } = message;
  if (message.type === 'error' || (message.error ?? null) !== null) return undefined;
  return {
    id,
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        message: toAssistant(message.content.filter(isFields)),
        finish_reason: finishReasonOf(stop_reason),
      },
    ],
    usage: toChatUsage(usage),
  };
}

function toAssistant(blocks: readonly Fields[]): Fields {
  const ofType = (...types: readonly string[]) => blocks.filter(({ type }) => types.includes(textIn(type)));
  const content = ofType('text')
    .map(({ text }) => textIn(text))
    .join('');
  const thinking = ofType('thinking')
    .map((block) => textIn(block.thinking))
    .join('');
  const thoughts = ofType('thinking', 'redacted_thinking').flatMap(thinkingBlocks);
  const calls = ofType('tool_use').map(toCall);
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(thoughts.length > 0 && { thinking_blocks: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

const toCall = ({ id, name, input }: Fields): Fields => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
});

/** The block of thinking that its upstream takes back, which is signed or encrypted. None for any other. */
export function thinkingBlocks({ type, thinking, signature, data }: Fields): Fields[] {
  if (type === 'redacted_thinking') return typeof data === 'string' ? [{ type, data }] : [];
  const isSigned = type === 'thinking' && textIn(signature) !== '';
  return isSigned ? [{ type, thinking: textIn(thinking), signature }] : [];
}
