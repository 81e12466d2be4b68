import type { AssistantMessage, ChatBody } from './chat-messages.ts';
import { countTokens } from './tokens.ts';
import type { Usage } from './usage.ts';

/** What the chat format puts around each message, and before the answer. */
const tokensPerMessage = 3;
const tokensBeforeAnswer = 3;
/** A picture of 1024 x 1024 at full detail, by OpenAI's published rule. */
const tokensPerImage = 765;

/** Tokens of a request whose upstream did not say: texts with o200k, pictures at a flat number. */
export async function countInputTokens(body: ChatBody): Promise<number> {
  let tokens = tokensBeforeAnswer;
  const texts: string[] = [];
  for (const message of body.messages) {
    tokens += tokensPerMessage;
    texts.push(message.role);
    if ('content' in message) tokens += collect(message.content, texts);
    if ('tool_calls' in message && message.tool_calls) texts.push(JSON.stringify(message.tool_calls));
  }
  if (body.tools !== undefined) texts.push(JSON.stringify(body.tools));
  for (const text of texts) tokens += await countTokens(text);
  return tokens;
}

/** Adds a content's texts to the list; the tokens of what is no text. */
function collect(content: unknown, texts: string[]): number {
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return 0;
  let tokens = 0;
  for (const part of content as { type?: unknown; text?: unknown }[]) {
    if (typeof part?.text === 'string') texts.push(part.text);
    else if (part?.type === 'image_url') tokens += tokensPerImage;
  }
  return tokens;
}

/** Usage of a completion whose upstream did not say. */
export async function countCompletion(body: ChatBody, message: AssistantMessage): Promise<Usage> {
  const calls = (message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments);
  return {
    inputTokens: await countInputTokens(body),
    cachedInputTokens: 0,
    outputTokens: await countTokens((message.content ?? '') + calls.join('')),
  };
}
