import type { WholeCompletion } from '@errand/chat';
import { parseCatalogue, toMessageBody } from '@errand/models';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeAnswer } from '../answer/whole-answer.ts';
import { wrapThinking } from '../native/own-thinking.ts';
import { tagOf } from '../thinking/mark.ts';
import type { Asked, Block, MessagesRequest } from '../wire.ts';
import { toCompletion } from './to-completion.ts';

const upstream = { baseUrl: 'http://a.test/v1', model: 'x' };
const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
const catalogue = parseCatalogue({ models: [{ id: 'm', kind: 'vision', upstream, price }] }, () => undefined);

const asking = (request: object, model = 'm'): Asked => ({
  ...{ request: request as MessagesRequest, version: '2023-06-01', betas: undefined },
  ...{ requestId: 'r', messageId: 'msg_1', tag: tagOf(model) },
});
const complete = (request: object) => toCompletion({ catalogue }, asking({ model: 'm', ...request }));

const said = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => text.trim() !== '');
const json = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue(), { maxKeys: 3 });
const text = said.map((each) => ({ type: 'text', text: each }));
const image = fc.base64String({ minLength: 4, maxLength: 12 }).map((data) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
}));
const userContent = fc.oneof(
  said,
  fc.array(fc.oneof(text, image), { minLength: 2, maxLength: 4 }),
  image.map((each) => [each]),
);
const call = fc.record({ name: said, input: json });

/** An answer, with the results of its calls, and what the user says then. */
const round = fc.record({
  answer: said,
  calls: fc.array(call, { maxLength: 3 }),
  hasText: fc.boolean(),
  result: said,
  user: userContent,
});

interface Round {
  answer: string;
  calls: { name: string; input: object }[];
  hasText: boolean;
  result: string;
  user: unknown;
}

const messagesOf = ({ answer, calls, hasText, result, user }: Round, index: number): object[] => {
  const ids = calls.map((_, place) => `call_${index}_${place}`);
  const tool_calls = calls.map(({ name, input }, place) => ({
    id: ids[place],
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = hasText || calls.length === 0 ? answer : null;
  return [
    { role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: result })),
    { role: 'user', content: user },
  ];
};

test('a conversation of chat completions comes back from a message as it was', () => {
  fc.assert(
    fc.property(fc.option(said), userContent, fc.array(round, { maxLength: 3 }), (system, first, rounds) => {
      const messages = [
        ...(system === null ? [] : [{ role: 'system', content: system }]),
        { role: 'user', content: first },
        ...rounds.flatMap(messagesOf),
      ];
      const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
      const completion = { model: 'm', messages, tools, tool_choice: 'required', parallel_tool_calls: false };
      const there = JSON.parse(JSON.stringify(toMessageBody(completion, { maxTokens: 9 })));
      expect(JSON.parse(JSON.stringify(complete(there)))).toEqual({ ...completion, max_tokens: 9 });
    }),
  );
});

const impact = {} as WholeCompletion['impact'];
const tokens = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };

test.each(['reasoning_content', 'reasoning'])(
  'what a model thought, said and called goes back to it as it came: %s',
  (field) => {
    fc.assert(
      fc.property(said, fc.option(said), fc.array(call, { maxLength: 3 }), (thought, content, calls) => {
        const tool_calls = calls.map(({ name, input }, index) => ({
          ...{ id: `functions.${name}:${index}`, index, type: 'function' },
          function: { name, arguments: JSON.stringify(input) },
        }));
        const message = {
          role: 'assistant',
          content,
          [field]: thought,
          ...(calls.length > 0 && { tool_calls }),
        };
        const answered = (model: string) => {
          const parsed = { choices: [{ index: 0, message, finish_reason: 'stop' }] };
          const whole = { parsed, tokens, impact, usage: {}, bytes: Buffer.alloc(0), isNative: false };
          const bytes = wholeAnswer(asking({ model, messages: [] }, model), whole);
          return { role: 'assistant', content: JSON.parse(bytes.toString()).content as Block[] };
        };
        const user = { role: 'user', content: 'Go on' };
        const back = (model: string) =>
          complete({ messages: [user, answered(model), user] }).messages as object[];
        const sent = {
          ...message,
          ...(calls.length > 0 && { tool_calls: tool_calls.map(({ index: _, ...each }) => each) }),
        };
        const isSaid = content !== null || calls.length > 0;
        expect(back('m')).toEqual(
          isSaid ? [user, sent, user] : [{ role: 'user', content: expect.any(Array) }],
        );
        expect(JSON.stringify(back('other'))).not.toContain('"reasoning');
        expect(JSON.stringify(back('m'))).not.toContain('errand_');
      }),
    );
  },
);

test('what a native model thought is told to no translated one', () => {
  fc.assert(
    fc.property(said, said, (thinking, signature) => {
      const block = wrapThinking(tagOf('m'), { type: 'thinking', thinking: `T${thinking}`, signature });
      const hidden = wrapThinking(tagOf('m'), { type: 'redacted_thinking', data: signature });
      const content = [block, hidden, { type: 'text', text: 'a' }];
      const user = { role: 'user', content: 'b' };
      expect(complete({ messages: [user, { role: 'assistant', content }] }).messages).toEqual([
        user,
        { role: 'assistant', content: 'a' },
      ]);
    }),
  );
});
