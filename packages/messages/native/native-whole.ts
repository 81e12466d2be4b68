import type { WholeCompletion } from '@errand/chat';
import { isFields, parseExactJson } from '@errand/platform';
import { messageObject, unended, usageOf } from '../answer/message.ts';
import type { Asked, Block } from '../wire.ts';
import { wrapThinking } from './own-thinking.ts';
import { toldUsage } from './told-usage.ts';

interface UpstreamMessage {
  content: readonly unknown[];
  usage?: unknown;
}

const isBlock = (value: unknown): value is Block => isFields(value);

/** The message of an upstream that speaks the protocol, as ours: with our id, model and numbers. */
export function nativeWhole(asked: Asked, { bytes, tokens, impact }: WholeCompletion): Buffer<ArrayBuffer> {
  const message = parseExactJson(bytes.toString('utf8')) as UpstreamMessage;
  const content = message.content.filter(isBlock).map((block) => wrapThinking(asked.tag, block));
  const usage = usageOf(tokens, toldUsage(asked, isFields(message.usage) ? message.usage : {}));
  const { id, model, ...own } = messageObject(asked, { content, stop: unended, usage, impact });
  return Buffer.from(JSON.stringify({ ...own, ...message, id, model, content, usage, impact }));
}
