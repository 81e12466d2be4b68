import {
  createMessageEvents,
  fromMessage,
  hiddenTokensIn,
  hiddenTokensOf,
  paidPart,
  parseAnswer,
  toMessageBody,
} from '@errand/models';
import { type Clock, isFields, parseExactJson, toSeconds } from '@errand/platform';
import { asksFor, outputBeside } from './bound-request.ts';
import type { EventRelay, Native, StreamAnswer } from './dialect.ts';
import { upstreamBody } from './read-request.ts';
import type { Chunk } from './stream/chunk.ts';
import { createChunkRelay } from './stream/chunk-relay.ts';

/** How upstreams that have Anthropic's Messages alone are asked for callers of other dialects. */
export const translatedMessages = (deps: { clock: Clock }): Native => ({
  api: 'messages',
  path: '/messages',
  input: (completion) => completion,
  body(request, upstream, outputTokens) {
    const completion = parseExactJson(upstreamBody(request, upstream).toString('utf8')) as Record<
      string,
      unknown
    >;
    const asked = outputTokens ?? asksFor(request.body);
    const maxTokens = outputBeside(request.model, request.bytes.length);
    const limit = { max_completion_tokens: undefined, max_tokens: asked };
    const said = upstream.fields?.cache_control === 'drop' ? unmarked(completion) : completion;
    return Buffer.from(JSON.stringify(toMessageBody({ ...said, ...limit }, { maxTokens })));
  },
  stream(request) {
    const answer = request.answering.stream(request);
    return { relay: relayEvents(deps, answer), answer };
  },
  read(bytes) {
    const message = parseAnswer(bytes);
    const completion = fromMessage(message);
    if (!completion) return undefined;
    const hiddenTokens = hiddenTokensOf(message);
    const parsed = { created: toSeconds(deps.clock()), ...completion };
    return { parsed, bytes: Buffer.from(JSON.stringify(parsed)), hiddenTokens };
  },
});

/** A completion without marks of what is to be cached, where the translation reads them: on tools and on parts. */
const unmarked = ({ messages, tools, ...others }: Chunk): Chunk => ({
  ...others,
  messages: (messages as Chunk[]).map((message) => ({
    ...message,
    content: withoutMarks(message.content),
  })),
  tools: withoutMarks(tools),
});

const withoutMarks = (parts: unknown): unknown =>
  Array.isArray(parts)
    ? parts.map((part: unknown) => (isFields(part) ? { ...part, cache_control: undefined } : part))
    : parts;

/** Has the events of a message written as the chunks of a chat completion. */
function relayEvents(deps: { clock: Clock }, answer: StreamAnswer): EventRelay {
  const { relayed, take } = createChunkRelay(answer);
  const events = createMessageEvents();
  const created = toSeconds(deps.clock());
  const takeEvent = (data: string): string | undefined => {
    const event: unknown = JSON.parse(data);
    const chunks = isFields(event) ? events.read(event) : undefined;
    const texts = chunks?.map((chunk) => take({ ...chunk, created }));
    const { content_block, delta } = isFields(event) ? event : {};
    for (const part of [content_block, delta])
      if (isFields(part)) relayed.hiddenTokens += hiddenTokensIn(part);
    // Only the usage of the end counts what the model thinks without a word.
    relayed.usageIsOld ||= relayed.finished === undefined;
    return texts?.includes(undefined) ? undefined : texts?.join('');
  };
  return {
    relayed,
    accept(data) {
      if (relayed.done || data.trim() === '') return '';
      try {
        return takeEvent(data);
      } catch {
        // The data cannot be read, or is nested too deep to be written again.
        return undefined;
      } finally {
        relayed.done = events.done();
      }
    },
    metered: paidPart,
  };
}
