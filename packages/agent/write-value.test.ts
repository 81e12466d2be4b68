import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { describeUnpaid } from './answer/value-prompts.ts';
import type { AgentDeps, CompletionRequest } from './deps.ts';
import {
  bridge,
  bridgeInput,
  found,
  page,
  readPage,
  right,
  schemaOf,
  written,
  wrong,
} from './test-support/bridge-value.ts';
import {
  collect,
  echo,
  eventsOf,
  makeAgent,
  type Scripted,
  takenOver,
  types,
} from './test-support/scripted-agent.ts';

const input = bridgeInput;
const confirm: Scripted = { calls: [['confirm_answer', {}]] };

/** A model that gives these answers one after the other, and then confirms. */
const inOrder = (...answers: Scripted[]) =>
  makeAgent((_, number) => answers[number - 1] ?? confirm, [page, echo]);

const lastOf = (all: Awaited<ReturnType<typeof collect>>) => all.at(-1)!;
const doneOf = (all: Awaited<ReturnType<typeof collect>>) => {
  const last = eventsOf(all).at(-1);
  return last?.type === 'done' ? last.finalText : JSON.stringify(last);
};
const lastMessage = ({ messages }: CompletionRequest) => messages.at(-1)?.content ?? '';
const textsOf = (all: Awaited<ReturnType<typeof collect>>) =>
  eventsOf(all).flatMap((event) => (event.type === 'text' ? event.text : []));

describe('a run with a schema', () => {
  test('finds out, writes the value with its schema as the form, and has it checked', async () => {
    const { deps, requests } = inOrder(readPage, found, right);
    const all = await collect(deps, input);
    expect(types(all)).toEqual([
      ...['step_start', 'tool_call', 'tool_result', 'text', 'text', 'step_complete'],
      ...['step_start', 'text', 'step_complete', 'done'],
    ]);
    const value = '{"name":"Iron Bridge","metres":60}';
    expect(textsOf(all)).toEqual([found.text, value, value]);
    expect(doneOf(all)).toBe(value);
    expect(requests.map(({ tool_choice, response_format }) => [tool_choice, !!response_format])).toEqual([
      ['auto', false],
      ['auto', false],
      ['none', true],
      ['auto', false],
    ]);
    expect(requests[2]!.messages.slice(-2)).toEqual([
      { role: 'assistant', content: found.text },
      { role: 'user', content: expect.stringMatching(/^Write the result now/) },
    ]);
    expect(lastMessage(requests[3]!)).toMatch(/^Before this is sent: is the result complete/);
    expect(requests[0]!.messages[0]!.content).toContain('"The name of the bridge"');
  });

  test('has a basis for each field with the citations that begin where it begins, and no support without proof', async () => {
    const { deps } = inOrder(readPage, found, {
      text: written({ ...bridge, open: true }, [
        { pointer: '', numbers: [1, 7] },
        { pointer: '/open', numbers: [0] },
      ]),
    });
    const last = lastOf(await collect(deps, input));
    expect(last.basis).toEqual([
      { pointer: '/name', startIndex: 8, endIndex: 21 },
      { pointer: '/metres', startIndex: 31, endIndex: 33 },
      { pointer: '/open', startIndex: 41, endIndex: 45 },
    ]);
    expect(last.unsupported).toBeUndefined();
    expect(last.uncitedSentences).toBeUndefined();
    expect(last.citations).toEqual(
      [
        [8, 21],
        [31, 33],
      ].map(([startIndex, endIndex]) => ({
        type: 'url_citation',
        url: 'https://bridge.test',
        title: 'https://bridge.test',
        number: 1,
        startIndex,
        endIndex,
        passage: 'The Iron Bridge is 60 metres long.',
        quote: expect.any(String),
        place: undefined,
        support: undefined,
      })),
    );
  });

  test('keeps the order in which keys were written, keys like numbers among them', async () => {
    const text = '{"value":{"metres":null,"10":1,"name":"N"},"sources":[]}';
    const all = await collect(inOrder(readPage, found, { text }).deps, input);
    expect(doneOf(all)).toBe('{"metres":null,"10":1,"name":"N"}');
  });

  test('takes a value that was written with sources before it was asked for', async () => {
    const { deps, requests } = inOrder(readPage, right);
    const all = await collect(deps, input);
    expect(doneOf(all)).toBe('{"name":"Iron Bridge","metres":60}');
    expect(requests).toHaveLength(3);
  });

  test('tells readers nothing of JSON that was written before it was asked for and does not fit', async () => {
    const { deps } = inOrder(readPage, wrong, right);
    const all = await collect(deps, input);
    expect(textsOf(all)).toEqual(Array(2).fill('{"name":"Iron Bridge","metres":60}'));
  });

  test('is asked for its value under the last result when its rounds are used up', async () => {
    const { deps, requests } = makeAgent(
      ({ tool_choice, response_format }) =>
        response_format
          ? right
          : tool_choice === 'none' || requests.length > limits.roundsPerRun
            ? confirm
            : readPage,
      [page],
    );
    deps.reasoning.contextTokens = 262_144;
    const last = lastOf(await collect(deps, input));
    expect(last.events.at(-1)).toMatchObject({ type: 'done' });
    expect(last.state).toMatchObject({ stopReason: 'rounds' });
    expect(requests).toHaveLength(limits.roundsPerRun + 2);
    const asking = requests[limits.roundsPerRun]!;
    expect(asking.messages.at(-1)).toMatchObject({ role: 'tool' });
    expect(lastMessage(asking)).toMatch(/All rounds of tool calls are used up\. Write the result now/);
    expect(lastMessage(asking)).not.toMatch(/Answer now/);
  });
});

describe('a value that does not fit', () => {
  test.each([1, 2])('goes back with what is wrong, %i times', async (times) => {
    const { deps, requests } = inOrder(readPage, found, ...Array<Scripted>(times).fill(wrong), right);
    const all = await collect(deps, input);
    expect(doneOf(all)).toBe('{"name":"Iron Bridge","metres":60}');
    for (const request of requests.slice(3, 3 + times)) {
      expect(lastMessage(request)).toMatch(/does not fit its schema:\n- \/metres: /);
      expect(request).toMatchObject({ tool_choice: 'none', response_format: { type: 'json_schema' } });
    }
    expect(textsOf(all).join('\n')).not.toContain('"60"');
  });

  test('a third time fails the run in words, and nothing of it is told', async () => {
    const { deps, requests } = inOrder(readPage, found, wrong, wrong, wrong);
    const all = await collect(deps, input);
    expect(requests).toHaveLength(5);
    expect(lastOf(all).events).toEqual([
      {
        type: 'error',
        message: expect.stringMatching(/^The model wrote no result that fits the schema\. \/metres: /),
      },
    ]);
    expect(lastOf(all).state).toMatchObject({ phase: 'ended', stopReason: 'schema' });
    expect(textsOf(all)).toEqual([found.text]);
    expect(all.flatMap(({ costs }) => costs.map(({ id }) => id))).toEqual(
      [1, 2, 3, 4, 5].map((number) => `completion-${number}`),
    );
  });

  test.each([
    ['prose', { text: 'It is 60 m long.' }, /no JSON object with "value" and "sources"/],
    ['an empty text', { text: '' }, /no JSON object with "value" and "sources"/],
    ['what was cut', { text: '{"value":{"name":"Iron', finish: 'length' }, /cut at its greatest length/],
    ['what was cut, though it fits', { ...right, finish: 'length' }, /cut at its greatest length/],
    ['what its provider has ended', { text: '{"val', finish: 'content_filter' }, /content filter/],
    ['fields that a page asked for', { text: written({ ...bridge, note: 'hacked' }) }, /note/],
  ] as [string, Scripted, RegExp][])('may be %s', async (_, given, said) => {
    const { deps, requests } = inOrder(readPage, found, given, right);
    const all = await collect(deps, input);
    expect(lastMessage(requests[3]!)).toMatch(said);
    expect(doneOf(all)).toBe('{"name":"Iron Bridge","metres":60}');
  });

  test('goes back as often as it would have, though the run is taken over at any piece', async () => {
    const script = [readPage, found, wrong, wrong, right];
    const whole = await collect(inOrder(...script).deps, input);
    for (const { state } of whole.slice(0, -1)) {
      const { deps } = inOrder(...script.slice('completions' in state ? state.completions : 0));
      const rest = await collect(deps, input, takenOver(state));
      expect(lastOf(rest).events).toEqual(lastOf(whole).events);
      expect(lastOf(rest).basis).toEqual(lastOf(whole).basis);
    }
  });

  test('and went back twice fails a run that was taken over in between', async () => {
    const all = await collect(inOrder(readPage, found, wrong, wrong, wrong).deps, input);
    const second = all.find(({ state }) => 'writing' in state && state.writing?.repairs === 2)!;
    const rest = await collect(inOrder(wrong).deps, input, takenOver(second.state));
    expect(lastOf(rest).state).toMatchObject({ stopReason: 'schema' });
  });
});

/** Credits for so many completions, as their bounds count them: each costs what it may cost at most. */
function paying(deps: AgentDeps, completions: number): void {
  const { start } = deps.calls;
  let left = completions;
  deps.calls.start = async (bound, kind, known) => {
    const call = await start(bound, kind, known);
    if (kind === 'completion' && left-- <= 0) {
      await call?.release();
      return undefined;
    }
    return call;
  };
}

describe('credits', () => {
  test('that do not pay for the value fail the run in words', async () => {
    const { deps, requests } = inOrder(readPage, found, right);
    paying(deps, 2);
    const last = lastOf(await collect(deps, input));
    expect(last.events).toEqual([{ type: 'error', message: describeUnpaid }]);
    expect(last.state).toMatchObject({ stopReason: 'credits' });
    expect(requests).toHaveLength(2);
  });

  test('that end in a repair fail the run in words', async () => {
    const { deps } = inOrder(readPage, found, wrong, right);
    paying(deps, 3);
    const last = lastOf(await collect(deps, input));
    expect(last.events).toEqual([{ type: 'error', message: describeUnpaid }]);
    expect(last.state).toMatchObject({ stopReason: 'credits' });
  });

  test('that do not pay for the check leave the value as it is', async () => {
    const { deps } = inOrder(readPage, found, right);
    paying(deps, 3);
    const all = await collect(deps, input);
    expect(doneOf(all)).toBe('{"name":"Iron Bridge","metres":60}');
    expect(lastOf(all).state).toMatchObject({ stopReason: 'credits' });
  });
});

describe('the check of a value', () => {
  const longer = written({ name: 'Iron Bridge', metres: 61 });
  const value = '{"name":"Iron Bridge","metres":61}';

  test.each([
    ['as text', { answer: longer }],
    ['as JSON', { answer: JSON.parse(longer) }],
    ['as the arguments', JSON.parse(longer)],
  ])('replaces it by a whole new one that is given %s', async (_, args) => {
    const { deps } = inOrder(readPage, found, right, { calls: [['confirm_answer', args]] });
    const all = await collect(deps, input);
    expect(doneOf(all)).toBe(value);
    expect(lastOf(all).citations).toHaveLength(2);
  });

  test('gives one that does not fit back as the result of its call, and takes the next', async () => {
    const { deps, requests } = inOrder(
      ...[readPage, found, right],
      { calls: [['confirm_answer', { answer: written({ name: 'Iron Bridge' }) }]] },
      { calls: [['confirm_answer', { answer: longer }]] },
    );
    const all = await collect(deps, input);
    expect(requests[4]!.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: expect.any(String),
      content: expect.stringMatching(/^Error: The new result does not fit its schema:\n- .*metres/),
    });
    expect(doneOf(all)).toBe(value);
  });

  test('keeps the value of the loop after three that do not fit', async () => {
    const bad: Scripted = { calls: [['confirm_answer', { answer: written({}) }]] };
    const { deps, requests } = inOrder(readPage, found, right, bad, bad, bad);
    const all = await collect(deps, input);
    expect(requests).toHaveLength(6);
    expect(doneOf(all)).toBe('{"name":"Iron Bridge","metres":60}');
  });

  test.each([
    ['JSON of the form replaces it', longer, value],
    ['JSON in a fence replaces it', `Mended:\n\`\`\`json\n${longer}\n\`\`\``, value],
    ['a remark confirms it', 'I have found 61 m in another source [1].', undefined],
    ['JSON without sources confirms it', '{"name":"Iron Bridge","metres":61}', undefined],
    ['one word confirms it', 'CONFIRMED', undefined],
  ])('after its tools: %s', async (_, text, expected) => {
    const { deps, requests } = inOrder(readPage, found, right, readPage, { text });
    const all = await collect(deps, input);
    expect(lastMessage(requests[4]!)).toMatch(
      /If it has to change, write the new one: the whole JSON object/,
    );
    expect(requests[4]!.response_format).toBeUndefined();
    expect(doneOf(all)).toBe(expected ?? '{"name":"Iron Bridge","metres":60}');
  });
});

describe('proof of a value', () => {
  const proving = (supports: Record<string, number>, asked: string[] = []): AgentDeps['proof'] => ({
    threshold: 0.5,
    async *check(claims) {
      asked.push(...claims.map(({ text }) => text));
      const found = claims.map(({ text }, i) => {
        const name = Object.keys(supports).find((each) => text.includes(each));
        return [i, name === undefined ? 0.9 : supports[name]!] as const;
      });
      const cost = { kind: 'decision' as const, inputTokens: 1, amountNanoEuro: 1 };
      yield { positions: [...claims.keys()], supports: new Map(found), cost };
    },
  });

  test('names weak fields in the question of the check, and gives null in their place where that is allowed', async () => {
    const { deps, requests } = inOrder(readPage, found, { text: written({ ...bridge, open: true }) });
    const last = lastOf(await collect({ ...deps, proof: proving({ 60: 0.1 }) }, input));
    expect(lastMessage(requests[3]!)).toMatch(/- Field \/metres: .*60/);
    const text = '{"name":"Iron Bridge","metres":null,"open":true}';
    expect(last.events.slice(-3)).toEqual([
      { type: 'text', text },
      { type: 'step_complete', step: 2 },
      { type: 'done', finalText: text },
    ]);
    expect(last.unsupported).toEqual(['/metres']);
    expect(last.basis).toEqual([
      { pointer: '/name', startIndex: 8, endIndex: 21, support: 0.9 },
      { pointer: '/metres', startIndex: 31, endIndex: 35, support: 0.1 },
      { pointer: '/open', startIndex: 43, endIndex: 47, support: 0.9 },
    ]);
    expect(text.slice(31, 35)).toBe('null');
    expect(text.slice(43, 47)).toBe('true');
    expect(last.citations?.map(({ startIndex, support }) => [startIndex, support])).toEqual([
      [8, 0.9],
      [43, 0.9],
    ]);
  });

  test('has a place for each other field, though other alternatives are near to the value once one is null', async () => {
    const fixed = (n: number) => ({
      type: 'object',
      properties: { n: { enum: [n] }, kind: { const: 'arch' } },
      required: ['n', 'kind'],
    });
    const open = {
      type: 'object',
      properties: { n: { type: ['number', 'null'] }, kind: { type: 'string' } },
      required: ['n', 'kind'],
    };
    const it = { anyOf: [...[1, 2, 3, 4].map(fixed), open] };
    const outputSchema = schemaOf({ type: 'object', properties: { it }, required: ['it'] });
    const { deps } = inOrder(readPage, found, { text: written({ it: { n: 7777, kind: 'arch' } }) });
    const last = lastOf(
      await collect({ ...deps, proof: proving({ 7777: 0.1 }) }, { ...input, outputSchema }),
    );
    const text = '{"it":{"n":null,"kind":"arch"}}';
    expect(last.events.at(-1)).toMatchObject({ finalText: text });
    expect(last.basis?.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex))).toEqual([
      'null',
      '"arch"',
    ]);
    expect(last.citations?.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex))).toEqual([
      '"arch"',
    ]);
  });

  test('keeps a weak field that may not be null, and lists it', async () => {
    const { deps } = inOrder(readPage, found, right);
    const last = lastOf(await collect({ ...deps, proof: proving({ 'Iron Bridge': 0.2 }) }, input));
    expect(last.events.at(-1)).toMatchObject({ finalText: expect.stringContaining('Iron Bridge') });
    expect(last.unsupported).toContain('/name');
  });

  test('asks nobody about a field without a source, which has no support, and reads the question as source 0', async () => {
    const asked: string[] = [];
    const sources = [{ pointer: '/name', numbers: [0] }];
    const { deps } = inOrder(readPage, found, { text: written(bridge, sources) });
    const last = lastOf(await collect({ ...deps, proof: proving({}, asked) }, input));
    expect(last.basis?.map(({ pointer, support }) => [pointer, support])).toEqual([
      ['/name', 0.9],
      ['/metres', 0],
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Iron Bridge');
    expect(last.citations).toBeUndefined();
    expect(last.unsupported).toEqual(['/metres']);
  });

  test('proves anew only the fields that the check has changed', async () => {
    const asked: string[] = [];
    const { deps } = inOrder(readPage, found, right, {
      calls: [['confirm_answer', { answer: written({ name: 'Iron Bridge', metres: 61 }) }]],
    });
    const last = lastOf(await collect({ ...deps, proof: proving({}, asked) }, input));
    expect(asked).toHaveLength(3);
    expect(asked[2]).toContain('61');
    expect(last.unsupported).toEqual([]);
  });

  test('finds the passages of a long question', async () => {
    const asked: string[] = [];
    const filler = 'There is much to say about rivers. '.repeat(200);
    const question = `${filler}\n\nThe bridge is called Iron Bridge.\n\n${filler}`;
    const { deps } = inOrder({ text: written(bridge, [{ pointer: '', numbers: [0] }]) });
    const last = lastOf(await collect({ ...deps, proof: proving({}, asked) }, { ...input, question }));
    expect(last.basis?.[0]).toMatchObject({ pointer: '/name', support: 0.9 });
  });
});
