import type { AssistantMessage, ChatBody } from './chat-messages.ts';
import { countTokens } from './tokens.ts';
import type { Usage } from './usage.ts';

/** Tokens that the chat format adds around each message, and before the answer. */
const tokensPerMessage = 3;
const tokensBeforeAnswer = 3;
/** OpenAI's published count for a picture of 1024 x 1024 pixels at full detail. */
const tokensPerImage = 765;

/** Estimates input tokens for upstreams that report none: texts by o200k, each picture at a flat number. */
export async function countInputTokens(body: ChatBody): Promise<number> {
  let tokens = tokensBeforeAnswer;
  const texts: string[] = [];
  for (const message of body.messages) {
    tokens += tokensPerMessage;
    texts.push(message.role);
    const { content, ...fields } = message as Record<string, unknown>;
    tokens += collect(content, texts);
    collectFields(fields, messageFields, texts);
  }
  collectFields(body, bodyFields, texts);
  for (const text of texts) tokens += await countTokens(text);
  return tokens;
}

/** The fields that the model reads besides a message's content. */
const messageFields = ['tool_calls', 'function_call', 'reasoning_content', 'reasoning', 'refusal', 'name'];
const bodyFields = ['tools', 'functions', 'response_format'];

function collectFields(from: Record<string, unknown>, names: readonly string[], texts: string[]): void {
  for (const name of names) {
    const value = from[name] ?? undefined;
    if (value !== undefined) texts.push(typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** Adds the content's texts to `texts`, and returns the tokens of its pictures. */
function collect(content: unknown, texts: string[]): number {
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return 0;
  let tokens = 0;
  for (const part of content as (string | { type?: unknown; text?: unknown } | null)[]) {
    if (typeof part === 'string') texts.push(part);
    else if (typeof part?.text === 'string') texts.push(part.text);
    else if (part?.type === 'image_url') tokens += tokensPerImage;
  }
  return tokens;
}

/** Estimates the usage of a completion for upstreams that report none. */
export async function countCompletion(body: ChatBody, message: AssistantMessage): Promise<Usage> {
  const calls = (message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments);
  return {
    inputTokens: await countInputTokens(body),
    cachedInputTokens: 0,
    outputTokens: await countTokens((message.content ?? '') + calls.join('')),
  };
}
