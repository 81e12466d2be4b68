import type { PolicyRequest } from '../policy/conversation.ts';

/** As providers count: blocks of so many tokens, from the least on. */
const blockTokens = 128;
const leastTokens = 1_024;

/** A prompt as a model reads it: the definitions of tools first, then the messages. */
const rendered = ({ tools = [], messages }: PolicyRequest): string =>
  JSON.stringify(tools) + messages.map((message) => JSON.stringify(message)).join('\n');

/** Counts the beginning that a prompt shares with an earlier one of its conversation as cached. */
export function promptCache() {
  const seen = new Map<string, string[]>();
  return {
    /** The tokens of the prompt that are read from the cache. */
    cachedTokens(request: PolicyRequest, promptTokens: number): number {
      const opening = request.messages.find(({ role }) => role === 'user');
      const key = JSON.stringify(opening).slice(0, 400);
      const prompt = rendered(request);
      const earlier = seen.get(key) ?? [];
      const shared = Math.max(0, ...earlier.map((one) => commonLength(one, prompt)));
      seen.set(key, [...earlier.slice(-2), prompt]);
      const tokens = Math.floor((promptTokens * shared) / prompt.length);
      const whole = Math.floor(tokens / blockTokens) * blockTokens;
      return whole < leastTokens ? 0 : whole;
    },
  };
}

export function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
