import { limits } from '@errand/platform';
import { expect, vi } from 'vitest';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { expectCharged, useStage, withHouse } from './support/row.ts';

/** Callers of every dialect over upstreams of other protocols than chat completions. */
useStage();

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const usage = { input_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const begin = event('message_start', {
  message: { id: 'msg_1', type: 'message', content: [], usage: { ...usage, output_tokens: 1 } },
});
const textBegins = event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });

const question = 'Say hello';
const messages = [{ role: 'user', content: question }];
const routes = [
  ['/v1/messages', { messages, max_tokens: 4_000 }],
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: question, store: false }],
] as const;

interface Streaming {
  call: HeldCall;
  /** Resolves once something was read. */
  read(): Promise<unknown>;
  text(): Promise<string>;
  leave(): void;
}

async function streaming(house: House, path: string, body: object, first: string): Promise<Streaming> {
  const client = new AbortController();
  const answer = house.post(path, { stream: true, ...body }, { signal: client.signal });
  const call = await house.provider.next();
  await call.raw(first);
  return {
    call,
    read: async () => (await answer).body!.getReader().read(),
    text: async () => (await answer).text(),
    leave: () => client.abort(),
  };
}

for (const [path, body] of routes) {
  withHouse(
    `${path}: a caller who leaves while the model thinks without a word is charged what the usage says, if it comes soon`,
    async (house) => {
      const { call, read, leave } = await streaming(house, path, { ...body, model: 'muse' }, begin);
      await read();
      leave();
      await vi.waitFor(
        () => expect(house.timers.runs(limits.usageAfterLeavingMilliseconds)).toBe(true),
        60_000,
      );
      const last = { delta: { stop_reason: 'end_turn' }, usage: { ...usage, output_tokens: 500 } };
      call.end(event('message_delta', last) + event('message_stop', {}));
      await call.closed;
      await expectCharged(house, house.caller, [{ inputTokens: 100, outputTokens: 500, brokenOff: true }]);
    },
  );

  withHouse(
    `${path}: an event with more text than the credits pay for is not passed on, and the answer ends as one that reached its limit`,
    async (house) => {
      const long = { index: 0, delta: { type: 'text_delta', text: 'word '.repeat(3_000) } };
      const { call, text } = await streaming(house, path, { ...body, model: 'essayist' }, begin + textBegins);
      await call.raw(event('content_block_delta', long));
      const sent = await text();
      expect(sent).not.toContain('word ');
      expect(sent).toMatch(/"(stop_reason":"max_tokens|finish_reason":"length|reason":"max_output_tokens)"/);
      await expectCharged(house, house.caller, [{ inputTokens: 100, outputTokens: 1 }]);
    },
    { credits: '0.001' },
  );
}

withHouse(
  'an event of an upstream with Responses that has more text than the credits pay for is not passed on',
  async (house) => {
    const begun = event('response.created', {
      response: { id: 'resp_1', status: 'in_progress', output: [] },
    });
    const { call, text } = await streaming(
      house,
      '/v1/responses',
      { model: 'respondent', input: question, store: false },
      begun,
    );
    const delta = 'word '.repeat(3_000);
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    await call.raw(event('response.output_text.delta', { ...place, delta }));
    const sent = await text();
    expect(sent).not.toContain('word ');
    expect(sent).toContain('"reason":"max_output_tokens"');
    await expectCharged(house, house.caller, [{ outputTokens: 0 }]);
  },
  { credits: '0.001' },
);
