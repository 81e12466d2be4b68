import { limits } from '@errand/platform';
import { expect, vi } from 'vitest';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { begin, event, routes, said, textBegins, usage } from './support/messages.ts';
import { expectCharged, useStage, withHouse } from './support/row.ts';

/** Callers of every dialect over upstreams of other protocols than chat completions. */
useStage();

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
      const { call, text } = await streaming(house, path, { ...body, model: 'essayist' }, begin + textBegins);
      await call.raw(said('word '.repeat(3_000)));
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
      { model: 'respondent', input: 'Say hello', store: false },
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
