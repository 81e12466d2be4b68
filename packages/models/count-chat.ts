import type { AssistantMessage, ChatBody } from './chat-messages.ts';
import { thinkingOf } from './opaque-fields.ts';
import { countTokens } from './tokens.ts';
import type { Usage } from './usage.ts';

/** Tokens that the chat format adds around each message, and before the answer. */
const tokensPerMessage = 3;
const tokensBeforeAnswer = 3;
/** OpenAI's published count for a picture of 1024 x 1024 pixels at full detail. */
export const tokensPerImage = 765;
/** Characters of base64 for one token: three bytes are four characters, and a token has about four bytes. */
const base64CharactersPerToken = 5;
export const tokensOfBase64 = (characters: number): number =>
  Math.ceil(characters / base64CharactersPerToken);

/**
 * Estimates input tokens for upstreams that report none, up to `most`: all that a model could read by o200k, each picture
 * at a flat number. Fields that we do not know count too, because some model may read them.
 */
export async function countInputTokens(body: ChatBody, most = Number.POSITIVE_INFINITY): Promise<number> {
  const found = collect(body);
  return countFound({ ...found, framing: found.framing + found.files }, most);
}

/** Estimates what `countTextTokens` leaves out. */
export const countFileTokens = (body: ChatBody): number => collect(body).files;

/** Counts what is text in a request, up to `most`: pictures and files are left out. */
export const countTextTokens = (body: ChatBody, most: number): Promise<number> =>
  countFound(collect(body), most);

async function countFound({ framing, texts }: Found, most: number): Promise<number> {
  let tokens = framing;
  for (const text of texts) {
    if (tokens >= most) break;
    tokens += await countTokens(text, most - tokens);
  }
  return Math.min(tokens, most);
}

interface Found {
  /** The tokens between the texts. */
  framing: number;
  /** The tokens of pictures and files. */
  files: number;
  texts: string[];
}

function collect({ messages, ...fields }: ChatBody): Found {
  const found: Found = { framing: tokensBeforeAnswer, files: 0, texts: [] };
  for (const message of messages) {
    found.framing += tokensPerMessage;
    const { role, content, ...others } = message as Record<string, unknown>;
    found.texts.push(String(role));
    for (const part of Array.isArray(content) ? content : [content]) collectPart(part, found);
    collectFields(withoutFiles(others, found), found);
  }
  collectFields(withoutSettings(fields), found);
  return found;
}

/** Strings of a request that no model reads. */
const settings: ReadonlySet<string> = new Set([
  ...['model', 'skills', 'user', 'metadata', 'stop', 'reasoning_effort', 'service_tier', 'tool_choice'],
  ...['stream_options', 'prompt_cache_key', 'safety_identifier', 'verbosity', 'modalities', 'logit_bias'],
]);

const withoutSettings = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !settings.has(name)));

/** Collects the texts in the fields. Numbers and booleans are settings, which no model reads. */
function collectFields(fields: Record<string, unknown>, { texts }: Found): void {
  for (const value of Object.values(fields)) {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) texts.push(JSON.stringify(value));
  }
}

function collectPart(part: unknown, found: Found): void {
  if (typeof part === 'string') found.texts.push(part);
  if (typeof part !== 'object' || part === null) return;
  const { type: _, text, image_url, ...others } = part as Record<string, unknown>;
  if (typeof text === 'string') found.texts.push(text);
  if (image_url !== undefined) {
    found.files += tokensPerImage;
    if (typeof image_url === 'object' && image_url !== null) {
      const { url: __, ...rest } = image_url as Record<string, unknown>;
      collectFields(rest, found);
    }
  }
  collectFields(withoutFiles(others, found), found);
}

/** The value without the strings in it that are files in base64, which are counted by their length. */
const withoutFiles = (fields: Record<string, unknown>, found: Found) =>
  withoutFilesIn(fields, found) as Record<string, unknown>;

function withoutFilesIn(value: unknown, found: Found): unknown {
  if (typeof value === 'string') {
    if (!isBase64(value)) return value;
    found.files += tokensOfBase64(value.length);
    return '';
  }
  if (Array.isArray(value)) return value.map((each) => withoutFilesIn(each, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutFilesIn(each, found)]));
}

const shortestFile = 1_024;
const isBase64 = (text: string): boolean =>
  text.length >= shortestFile && /^(data:[^,]{0,128},)?[A-Za-z0-9+/_-]+={0,2}$/.test(text);

/** Estimates the usage of a completion for upstreams that report none. The model reads at most `contextTokens`. */
export async function countCompletion(
  body: ChatBody,
  message: AssistantMessage,
  contextTokens?: number,
): Promise<Usage> {
  const calls = (message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments);
  const { opaque, content } = message;
  const written = typeof opaque?.content === 'string' ? opaque.content : (content ?? '');
  const thought = opaque ? thinkingOf(opaque) : '';
  return {
    inputTokens: await countInputTokens(body, contextTokens),
    cachedInputTokens: 0,
    outputTokens: await countTokens(thought + written + calls.join(''), contextTokens),
  };
}
