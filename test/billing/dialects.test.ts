import fc from 'fast-check';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { House } from './support/house.ts';
import { begunWith, event, reports, routes, said, textBegins } from './support/messages.ts';
import { entriesOf, useStage, withHouse } from './support/row.ts';

/** Callers of every dialect over one provider of Messages. */
useStage();

const count = fc.constantFrom(undefined, null, 0, 1, 40, 100, 500, -5, 7.5, 1e15, '20', [3]);
const thought = { thinking_tokens: 30 };
const summary = { type: 'compaction', input_tokens: 50, output_tokens: 5 };
const usages = fc.oneof(
  fc.record({
    input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    output_tokens: count,
    output_tokens_details: fc.constantFrom(undefined, null, thought),
    iterations: fc.constantFrom(undefined, null, [], [summary], 'none'),
  }),
  fc.constantFrom(undefined, null, {}, [], 'none', 5),
);

const endings = [
  ...[event('message_stop'), event('message_stop'), ''],
  event('error', { error: { type: 'overloaded_error', message: 'no' } }),
];
const streams = fc
  .record({
    begun: fc.array(usages, { minLength: 1, maxLength: 2 }),
    texts: fc.array(fc.constantFrom('Hello', 'word '.repeat(50), '🌊'), { maxLength: 3 }),
    reported: fc.array(fc.tuple(usages, fc.constantFrom(null, 'end_turn', 'max_tokens')), { maxLength: 3 }),
    ending: fc.constantFrom(...endings),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ begun, texts, reported, ending, cut }) => {
    const ends = reported.map(([usage, reason]) => reports(usage, reason));
    const parts = [begun.map(begunWith), textBegins, texts.map(said), ends, ending];
    const bytes = Buffer.from(parts.flat().join(''));
    return bytes.subarray(0, Math.floor((cut ?? 1) * bytes.length)).toString();
  });

/** What callers of each dialect are charged for the same answer. */
const chargesOf = (house: House, stream: boolean): Promise<unknown[][]> =>
  Promise.all(
    routes.map(async ([path, body]) => {
      const { key } = await house.newCaller();
      const request = { model: 'essayist', ...body, stream };
      await (await house.post(path, request, { key })).text();
      await eventually(() => house.reserved(key)).toBe('0');
      const charges = (await entriesOf(house, key)) as unknown as Record<string, unknown>[];
      return charges.map((charge) => measures.map((name) => charge[name]));
    }),
  );

const measures = [
  ...['amount', 'inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens'],
  ...['brokenOff', 'writtenOff'],
];

withHouse(
  'a stream of messages is charged alike in every dialect, whatever usage it reports and wherever it ends',
  async (house) => {
    await fc.assert(
      fc.asyncProperty(streams, async (answer) => {
        house.provider.script((call) => call.end(answer));
        const [first, ...others] = await chargesOf(house, true);
        for (const charges of others) expect(charges).toEqual(first);
      }),
      { numRuns: 40 },
    );
  },
);

withHouse('a whole message is charged alike in every dialect, whatever usage it reports', async (house) => {
  await fc.assert(
    fc.asyncProperty(usages, async (usage) => {
      const content = [{ type: 'text', text: 'word '.repeat(50) }];
      house.provider.script((call) => call.json(200, { id: 'msg_1', type: 'message', content, usage }));
      const [first, ...others] = await chargesOf(house, false);
      for (const charges of others) expect(charges).toEqual(first);
      expect(first).toHaveLength(1);
    }),
    { numRuns: 40 },
  );
});
