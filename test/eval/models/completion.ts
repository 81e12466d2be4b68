import { type PolicyRequest, textOf } from '../policy/conversation.ts';
import { act } from '../policy/policy.ts';
import { countTokens, cutTokens } from './tokens.ts';

const tokensPerMessage = 3;

/** What the policy answers to a request, within its limit of output tokens. */
export function completePolicy(
  request: PolicyRequest,
  number: number,
  {
    seed,
    cachedTokens = () => 0,
  }: { seed?: string; cachedTokens?(request: PolicyRequest, inputTokens: number): number } = {},
): object {
  const most = request.max_completion_tokens ?? request.max_tokens ?? 4_096;
  const next = act(request, seed);
  const all = inputTokens(request);
  const input = { all, cached: cachedTokens(request, all) };
  if ('answer' in next) {
    const { text, isCut, tokens } = cutTokens(next.answer, most);
    return completion(
      request,
      number,
      { role: 'assistant', content: text },
      isCut ? 'length' : 'stop',
      input,
      tokens,
    );
  }
  const note = cutTokens(next.note ?? '', most);
  let left = most - note.tokens;
  let { isCut } = note;
  const tool_calls = next.calls.flatMap(({ name, args }, i) => {
    if (left <= 0) return [];
    const written = cutTokens(JSON.stringify(args), left);
    left -= written.tokens + countTokens(name);
    isCut ||= written.isCut;
    return [{ id: `call_${number}_${i}`, type: 'function', function: { name, arguments: written.text } }];
  });
  const message = { role: 'assistant', content: note.text || null, tool_calls };
  return completion(
    request,
    number,
    message,
    isCut ? 'length' : 'tool_calls',
    input,
    Math.min(most, most - left),
  );
}

export function inputTokens({ messages, tools = [] }: PolicyRequest): number {
  const texts = messages.flatMap((message) => [
    textOf(message),
    ...(message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments),
  ]);
  const counts = texts.map(countTokens).reduce((sum, count) => sum + count, 0);
  return (
    counts + messages.length * tokensPerMessage + (tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0)
  );
}

const completion = (
  { model }: PolicyRequest,
  number: number,
  message: object,
  finish_reason: string,
  { all, cached }: { all: number; cached: number },
  completion_tokens: number,
): object => ({
  id: `chatcmpl-${number}`,
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message, finish_reason }],
  usage: {
    prompt_tokens: all,
    completion_tokens,
    total_tokens: all + completion_tokens,
    prompt_tokens_details: { cached_tokens: cached },
  },
});
