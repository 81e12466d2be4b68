import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { behaviours } from '../chat/support/behaviours.ts';
import { type ChatService, secretKey } from '../chat/support/chat-service.ts';
import { upstreamUsage } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

test.each(behaviours)(
  'an upstream that sends $name',
  async ({ script, text = 'Hello', usage = upstreamUsage, broken = false }) => {
    upstream.script(script);
    service.clock.advance(1_000);
    const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 0 });
    const stream = await client.responses.create({ model: 'writer', input: 'Say hello', stream: true });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(JSON.stringify(events)).not.toContain(secretKey);

    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? event.delta : [],
    );
    expect(deltas.join('')).toBe(text);
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as typeof upstreamUsage;
    const status = broken ? 'failed' : 'completed';
    expect(events.at(-1)).toMatchObject({
      type: `response.${status}`,
      response: {
        ...{ status, model: 'writer', error: broken ? { code: 'upstream_failed' } : null },
        output: [{ type: 'message', content: [{ text }] }],
        usage: {
          input_tokens: prompt_tokens,
          input_tokens_details: prompt_tokens_details,
          output_tokens: completion_tokens,
        },
      },
    });
    expect((await service.ledger())[0]).toMatchObject({
      kind: 'completion',
      inputTokens: prompt_tokens,
      outputTokens: completion_tokens,
    });
  },
);
