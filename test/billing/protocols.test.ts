import { limits } from '@errand/platform';
import { expect, vi } from 'vitest';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { begin, ended, event, reports, routes, said, textBegins, usage, whole } from './support/messages.ts';
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

const thinking = { type: 'adaptive', display: 'omitted' };
for (const [what, paths, more] of [
  ['while the model thinks without a word', routes, { model: 'muse' }],
  [
    'and wants no thinking shown, of a model that is not said to hide it',
    routes.slice(0, 2),
    { model: 'essayist', thinking },
  ],
] as const)
  for (const [path, body] of paths)
    withHouse(
      `${path}: a caller who leaves ${what} is charged what the usage says, if it comes soon`,
      async (house) => {
        const { call, read, leave } = await streaming(house, path, { ...body, ...more }, begin);
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

for (const [path, body] of routes) {
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

const thought = { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } };
/** A message event by event, with the tokens that it has written by then, by the o200k encoding. */
const steps: [string, number][] = [
  [begin, 1],
  [event('content_block_start', thought), 1],
  [event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'a b c' } }), 3],
  [event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'sig' } }), 3],
  [event('content_block_stop', { index: 0 }), 3],
  [event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }), 3],
  [event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: ' d e' } }), 5],
  [event('content_block_stop', { index: 1 }), 5],
];

for (const [path, body] of routes)
  withHouse(
    `${path}: a stream that its caller or its provider ends after any event of a message is charged its input, and the output that came`,
    async (house) => {
      for (const end of ['leave', 'reset', 'error'] as const)
        for (let count = 1; count <= steps.length; count++) {
          const caller = await house.newCaller();
          const sent = steps
            .slice(0, count)
            .map(([text]) => text)
            .join('');
          const read = Promise.withResolvers<void>();
          house.provider.script(async (held) => {
            await held.raw(sent + event('ping'));
            await read.promise;
            if (end === 'error') held.end(event('error', { error: { type: 'overloaded_error' } }));
            if (end === 'reset') held.reset();
          });
          const client = new AbortController();
          const request = { model: 'essayist', ...body, stream: true };
          const answer = await house.post(path, request, { key: caller.key, signal: client.signal });
          const reader = answer.body!.getReader();
          await reader.read();
          read.resolve();
          if (end === 'leave') client.abort();
          else while (!(await reader.read()).done);
          const outputTokens = steps[count - 1]![1];
          await expectCharged(house, caller, [{ inputTokens: 100, outputTokens, brokenOff: true }]);
        }
    },
  );

for (const [path, body] of routes)
  withHouse(
    `${path}: a stream whose output is told at its beginning alone, or wrong, is charged the output that came`,
    async (house) => {
      const wrong = [undefined, null, {}, usage, { output_tokens: 0 }, { ...usage, output_tokens: -3 }];
      for (const told of wrong) {
        const caller = await house.newCaller();
        const end = event('content_block_stop', { index: 0 }) + reports(told) + event('message_stop');
        house.provider.script((call) => call.end(begin + textBegins + said('a b c d') + end));
        await (
          await house.post(path, { model: 'essayist', ...body, stream: true }, { key: caller.key })
        ).text();
        await expectCharged(house, caller, [{ inputTokens: 100, outputTokens: 4, amount: '-0.000108' }]);
      }
    },
  );

for (const stream of [false, true])
  for (const failing of [1, 2])
    for (const [path, body] of routes)
      withHouse(
        `${path}${stream ? ', streamed' : ''}: of ${failing + 1} providers of two protocols, the one that answers is paid`,
        async (house) => {
          house.provider.script((held) => {
            if (house.provider.asked.length <= failing) return held.json(500, {});
            const isMessage = held.path.endsWith('/messages');
            if (!isMessage) return stream ? held.endStream() : held.complete('Hello');
            return stream
              ? held.end(begin + textBegins + said('Hello') + ended(10))
              : held.json(200, whole(10));
          });
          const answer = await house.post(path, { model: 'polyglot', ...body, stream });
          expect([answer.status, house.provider.asked.length]).toEqual([200, failing + 1]);
          await answer.text();
          await expectCharged(house, house.caller, [
            { inputTokens: 100, outputTokens: 10, amount: '-0.00012' },
          ]);
        },
      );
const long = 'word '.repeat(3_000);
const wholeBlocks: [string, string, string, object][] = [
  ['text', '/v1/messages', begin, { type: 'text', text: long }],
  ['text', '/v1/chat/completions', begin, { type: 'text', text: long }],
  ['thinking', '/v1/messages', begin, { type: 'thinking', thinking: long }],
  ['a summary', '/v1/messages', begin, { type: 'compaction', content: long }],
  ['a call', '/v1/messages', begin, { type: 'tool_use', id: 'a', name: 'b', input: { words: long } }],
  ['a call', '/v1/chat/completions', begin, { type: 'tool_use', id: 'a', name: 'b', input: { words: long } }],
];
for (const [name, path, first, block] of wholeBlocks)
  withHouse(
    `${path}: ${name} that comes whole with the beginning of its block is not passed on if the credits do not pay for it`,
    async (house) => {
      const asked = routes.find(([route]) => route === path)![1];
      const { call, text } = await streaming(house, path, { ...asked, model: 'essayist' }, first);
      await call.raw(event('content_block_start', { index: 0, content_block: block }));
      const sent = await text();
      expect(sent).not.toContain('word ');
      expect(sent).toMatch(/"(stop_reason":"max_tokens|finish_reason":"length)"/);
      await expectCharged(house, house.caller, [{ inputTokens: 100, outputTokens: 1 }]);
    },
    { credits: '0.001' },
  );

withHouse(
  '/v1/messages: text that comes whole with the beginning of a message is not passed on if the credits do not pay for it',
  async (house) => {
    const message = { content: [{ type: 'text', text: long }], usage: { ...usage, output_tokens: 1 } };
    const asked = { ...routes[0][1], model: 'essayist' };
    const { text } = await streaming(house, '/v1/messages', asked, event('message_start', { message }));
    expect(await text()).not.toContain('word ');
    await expectCharged(house, house.caller, [{ outputTokens: 0 }]);
  },
  { credits: '0.001' },
);

const compact = { context_management: { edits: [{ type: 'compact_20260112' }] } };
withHouse(
  '/v1/messages: a summary beside the answer is charged within what was set aside for both',
  async (house) => {
    const asked = {
      ...routes[0][1],
      model: 'essayist',
      messages: [{ role: 'user', content: long }],
      ...compact,
    };
    const summary = { type: 'compaction', content: 'short' };
    const first = begin + event('content_block_start', { index: 0, content_block: summary });
    const { call, text } = await streaming(house, '/v1/messages', asked, first);
    const reserved = Number(await house.reserved());
    const iterations = [{ type: 'compaction', input_tokens: 3_000, output_tokens: 4_000 }];
    const told = { ...usage, output_tokens: 4_000, iterations };
    call.end(
      event('content_block_stop', { index: 0 }) +
        event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: told }) +
        event('message_stop', {}),
    );
    expect(await text()).toContain('message_stop');
    expect(reserved).toBeGreaterThanOrEqual((2 * 3_000 + 2 * 4_000 * 2) / 1e6);
    await expectCharged(house, house.caller, [
      { inputTokens: 3_100, outputTokens: 8_000, amount: '-0.0191' },
    ]);
  },
);

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
