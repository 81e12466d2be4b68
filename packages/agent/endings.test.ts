import { UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { brokenNotice, cutNotice, filterNotice } from './answer/join-answer.ts';
import { answerPrompt, emptyNote } from './conversation.ts';
import {
  collect,
  eventsOf,
  makeAgent,
  type Scripted,
  takenOver,
  types,
} from './test-support/scripted-agent.ts';

const confirm: Scripted = { calls: [['confirm_answer', {}]] };

/** A model that gives these answers one after the other, and then confirms. */
const inOrder = (...answers: Scripted[]) => makeAgent((_, number) => answers[number - 1] ?? confirm);

const textsOf = (all: Awaited<ReturnType<typeof collect>>) =>
  eventsOf(all).flatMap((event) => (event.type === 'text' ? event.text : []));
const finalTextOf = (all: Awaited<ReturnType<typeof collect>>) => {
  const last = eventsOf(all).at(-1);
  return last?.type === 'done' ? last.finalText : undefined;
};

describe('an answer that was cut', () => {
  test('is continued where it stopped, joined, and sent as one text', async () => {
    const { deps, requests } = inOrder(
      { text: '1. one 2. tw', finish: 'length' },
      { text: 'o 3. three', finish: 'stop' },
    );
    const all = await collect(deps);
    expect(textsOf(all)).toEqual(['1. one 2. two 3. three', '1. one 2. two 3. three']);
    expect(requests[1]).toMatchObject({ tool_choice: 'none' });
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: '1. one 2. tw' },
      { role: 'user', content: expect.stringContaining('exactly where it stopped') },
    ]);
    expect(requests[2]?.messages.slice(-4, -1)).toEqual([
      { role: 'assistant', content: '1. one 2. tw' },
      { role: 'user', content: expect.stringContaining('exactly where it stopped') },
      { role: 'assistant', content: 'o 3. three' },
    ]);
  });

  test('is joined without the words that its continuation repeats', async () => {
    const { deps } = inOrder(
      { text: 'The river has its source in the northern hills', finish: 'length' },
      { text: 'in the northern hills and ends in the sea.' },
    );
    expect(finalTextOf(await collect(deps))).toBe(
      'The river has its source in the northern hills and ends in the sea.',
    );
  });

  test('is continued four times, which do not count as rounds, and then says that it is cut', async () => {
    const { deps, requests } = makeAgent((_, number) =>
      number <= 5 ? { text: `part ${number} `, finish: 'length' } : confirm,
    );
    const all = await collect(deps);
    expect(finalTextOf(all)).toBe(`part 1 part 2 part 3 part 4 part 5\n\n${cutNotice}`);
    expect(requests).toHaveLength(6);
    expect(Math.max(...all.map(({ state }) => ('rounds' in state ? state.rounds : 0)))).toBe(0);
    expect(all.flatMap(({ costs }) => costs.map(({ id }) => id))).toEqual(
      Array.from({ length: 6 }, (_, i) => `completion-${i + 1}`),
    );
  });

  test('goes on after a takeover at any piece, as if nothing had happened', async () => {
    const script = (request: { messages: readonly { role: string; content: string | null }[] }): Scripted => {
      const last = request.messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      if (last.endsWith('three')) return confirm;
      return last === ''
        ? { text: 'one, ', finish: 'length' }
        : {
            text: last.endsWith('two, ') ? 'three' : 'two, ',
            finish: last.endsWith('two, ') ? 'stop' : 'length',
          };
    };
    const { deps } = makeAgent(script);
    const whole = await collect(deps);
    expect(finalTextOf(whole)).toBe('one, two, three');
    for (const [i, { state }] of whole.entries()) {
      const rest = await collect(deps, { question: 'q' }, takenOver(state));
      expect(rest.flatMap(({ events, costs }) => [...events, ...costs])).toEqual(
        whole.slice(i + 1).flatMap(({ events, costs }) => [...events, ...costs]),
      );
    }
  });

  test("by the provider's filter in the loop says so", async () => {
    const { deps } = inOrder({ text: 'The recipe begins', finish: 'content_filter' });
    expect(finalTextOf(await collect(deps))).toBe(`The recipe begins\n\n${filterNotice}`);
  });
});

describe('a call that was cut', () => {
  test('is answered with the way out, the others of its turn are made, and no server gets broken JSON', async () => {
    const { deps, requests } = inOrder(
      {
        calls: [
          ['echo', { text: 'a' }],
          ['save_file', '{"filename":"a.md","content":"# Long'],
        ],
        finish: 'length',
      },
      { text: 'Ready.' },
    );
    const all = await collect(deps);
    const results = eventsOf(all).flatMap((event) => (event.type === 'tool_result' ? event.result : []));
    expect(results[0]).toBe('a');
    expect(results[1]).toMatch(/^Error: This call of save_file was not made: it was cut off.*append/);
    const sent = requests[1]?.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.function.arguments) : [],
    );
    expect(sent).toEqual(['{"text":"a"}', '{}']);
    expect(eventsOf(all)).toContainEqual({
      type: 'tool_call',
      toolName: 'save_file',
      input: JSON.stringify('{"filename":"a.md","content":"# Long'),
    });
  });

  test('after whole arguments is made', async () => {
    const { deps } = inOrder({ calls: [['echo', { text: 'a' }]], finish: 'length' }, { text: 'Ready.' });
    expect(eventsOf(await collect(deps))).toContainEqual({
      type: 'tool_result',
      toolName: 'echo',
      result: 'a',
    });
  });
});

describe('the final check', () => {
  test('ends with a call of the tool to confirm, emits no event for it, and sends the answer again', async () => {
    const { deps, requests } = inOrder({ calls: [['echo', { text: 'a' }]] }, { text: 'Whole.' });
    const all = await collect(deps);
    expect(requests).toHaveLength(3);
    for (const { tools } of requests)
      expect(tools.map((tool) => tool.function.name)).toEqual(['echo', 'request_input', 'confirm_answer']);
    expect(types(all).slice(-5)).toEqual(['step_complete', 'step_start', 'text', 'step_complete', 'done']);
    expect(textsOf(all)).toEqual(['Whole.', 'Whole.']);
  });

  test.each([
    ['cut', { text: '1. one 2. tw', finish: 'length' }],
    ['filtered', { text: 'I cannot', finish: 'content_filter' }],
    ['empty', { text: '' }],
    ['a remark', { text: 'Yes, it is complete.' }],
    ['a text that could be another answer', { text: '1. one 2. two 3. four' }],
    [
      'a request for input',
      { calls: [['request_input', { message: 'More?', expected: [{ name: 'file', description: 'it' }] }]] },
    ],
    ['a confirmation whose answer is empty', { calls: [['confirm_answer', { answer: ' ' }]] }],
    ['a confirmation whose answer is no text', { calls: [['confirm_answer', { answer: null }]] }],
    ['a confirmation that is no JSON', { calls: [['confirm_answer', '{"answer":"1. on']] }],
    [
      'a confirmation that was cut',
      { calls: [['confirm_answer', { answer: '1. one 2. tw' }]], finish: 'length' },
    ],
  ] as [string, Scripted][])('that is %s leaves the answer as it is', async (_, check) => {
    const { deps } = makeAgent((_request, number) =>
      number === 1 ? { text: '1. one 2. two 3. three' } : number === 2 ? check : confirm,
    );
    expect(finalTextOf(await collect(deps))).toBe('1. one 2. two 3. three');
  });

  test('with a new answer in the confirmation replaces the old one', async () => {
    const { deps } = inOrder({ text: 'It is 42.' }, { calls: [['confirm_answer', { answer: 'It is 43.' }]] });
    const all = await collect(deps);
    expect(textsOf(all)).toEqual(['It is 42.', 'It is 43.']);
    expect(types(all)).not.toContain('tool_call');
  });

  test.each([
    ['a new answer', 'The bridge is 512 m long, says the echo.', 'The bridge is 512 m long, says the echo.'],
    ['a marked one', 'NEW ANSWER: There is no bridge.', 'There is no bridge.'],
    ['a remark', 'I have double-checked, and would not alter it.', 'The bridge is 503 m long.'],
  ])(
    'that calls another tool beside its confirmation goes on, and %s after it counts',
    async (_, text, final) => {
      const { deps, requests } = inOrder(
        { text: 'The bridge is 503 m long.' },
        {
          calls: [
            ['confirm_answer', {}],
            ['echo', { text: 'The bridge is 512 m long.' }],
          ],
        },
        { text },
      );
      const all = await collect(deps);
      expect(eventsOf(all).flatMap((event) => ('toolName' in event ? event.toolName : []))).toEqual([
        'echo',
        'echo',
      ]);
      expect(finalTextOf(all)).toBe(final);
      const results = requests[2]?.messages.slice(-2).map(({ content }) => content);
      expect(results?.[0]).toMatch(/^Error: Other tools were called beside this one/);
      expect(results?.[1]).toMatch(
        /^The bridge is 512 m long\.\n\nNo more tools can be called\. .*CONFIRMED/,
      );
    },
  );

  test('comes after the loop alone: a confirmation before it is answered without an event', async () => {
    const { deps, requests } = inOrder(
      { calls: [['confirm_answer', { answer: 'Early.' }]] },
      { text: 'Whole.' },
    );
    const all = await collect(deps);
    expect(types(all)).not.toContain('tool_call');
    expect(requests[1]?.messages.at(-1)?.content).toMatch(/^Error: It is not time for this/);
    expect(textsOf(all)).toEqual(['Whole.', 'Whole.']);
  });

  test('without an answer takes the one in the confirmation', async () => {
    const { deps } = inOrder(
      { text: '' },
      { text: '' },
      { calls: [['confirm_answer', { answer: 'Late.' }]] },
    );
    expect(textsOf(await collect(deps))).toEqual(['Late.', 'Late.']);
  });
});

test('an answer that only the check has begun is kept, even if its model fails', async () => {
  const { deps } = inOrder(
    { text: '' },
    { text: '' },
    { text: 'The river rises in', finish: 'length' },
    new UpstreamError('refused'),
  );
  expect(finalTextOf(await collect(deps))).toBe(`The river rises in\n\n${brokenNotice}`);
});

describe('an empty completion', () => {
  test('is asked for again once, without an empty message of the model', async () => {
    const { deps, requests } = inOrder({ text: ' ' }, { text: 'Here.' });
    expect(finalTextOf(await collect(deps))).toBe('Here.');
    expect(requests).toHaveLength(3);
    const sent = requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'assistant'));
    expect(sent.map(({ content }) => content)).toEqual(['Here.']);
  });

  test('twice in a row leaves the answer to the check, and the answer is then sent twice', async () => {
    const { deps, requests } = inOrder({ text: '' }, { text: '' }, { text: 'Late.' });
    const all = await collect(deps);
    expect(textsOf(all)).toEqual(['Late.', 'Late.']);
    expect(requests[2]?.messages.some(({ role }) => role === 'assistant')).toBe(false);
    expect(requests[2]?.messages.slice(-2)).toMatchObject([
      { role: 'user', content: expect.not.stringContaining(emptyNote) },
      { role: 'user', content: answerPrompt },
    ]);
  });
});

test('a model at the cap of rounds is told that it may call no more tools', async () => {
  const { deps, requests } = makeAgent((request, number) =>
    request.tool_choice === 'none'
      ? { text: 'Enough.' }
      : number > limits.roundsPerRun
        ? confirm
        : { calls: [['echo', { text: 'a' }]] },
  );
  const all = await collect(deps);
  const last = requests[limits.roundsPerRun];
  expect(last?.tool_choice).toBe('none');
  expect(last?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/^a\n\nAll rounds .* no more tools can be called/),
  });
  const told = requests.map(({ messages }) => messages.at(-1)?.content?.match(/left: (\d+)/)?.[1]);
  expect(told.filter(Boolean)).toEqual(['3', '2', '1']);
  const results = eventsOf(all).flatMap((event) => (event.type === 'tool_result' ? event.result : []));
  expect(new Set(results)).toEqual(new Set(['a']));
  expect(finalTextOf(all)).toBe('Enough.');
});

describe('a call that is written as text', () => {
  const written = { text: '<tool_call>{"name": "echo", "arguments": {"text": "a"}}</tool_call>' };

  test('is answered as an error, and the model makes it', async () => {
    const { deps, requests } = inOrder(
      written,
      { calls: [['echo', { text: 'a' }]] },
      { text: 'Ready.' },
      confirm,
    );
    const all = await collect(deps);
    expect(finalTextOf(all)).toBe('Ready.');
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: written.text },
      { role: 'user', content: expect.stringMatching(/^Error: A call of echo was written as text.*Make it/) },
    ]);
    expect(JSON.stringify(eventsOf(all))).not.toContain('tool_call>');
  });

  test('is told twice, and is then the answer', async () => {
    const { deps, requests } = inOrder(written, written, written, confirm);
    expect(finalTextOf(await collect(deps))).toBe(written.text);
    expect(requests).toHaveLength(4);
  });

  test('is told of the tool that ends the check, too, and is no answer', async () => {
    const text = JSON.stringify({ name: 'confirm_answer', arguments: { answer: 'At 1 pm.' } });
    const { deps, requests } = inOrder(
      { text: 'At noon.' },
      { text },
      {
        calls: [['confirm_answer', { answer: 'At 1 pm.' }]],
      },
    );
    expect(finalTextOf(await collect(deps))).toBe('At 1 pm.');
    expect(requests[2]?.messages.at(-1)?.content).toMatch(
      /^Error: A call of confirm_answer was written as text/,
    );
  });
});

test('the error of a call that was written as text stays where the next message is empty', async () => {
  const call = '<tool_call>{"name": "echo", "arguments": {"text": "a"}}</tool_call>';
  const { deps, requests } = inOrder({ text: call }, { text: '' }, { text: 'Noon.' });
  expect(finalTextOf(await collect(deps))).toBe('Noon.');
  const [before, last] = requests[2]?.messages.slice(-2) ?? [];
  expect(before?.role).toBe('assistant');
  expect(last?.content).toMatch(/^Error: A call of echo was written as text/);
  expect(last?.content).toContain(emptyNote);
});

test('a new answer after a tool of the check is taken where a call was written as text in between', async () => {
  const page = 'Winter service: boats depart Saturdays only, weather permitting, ticket office shut.';
  const after = 'In winter boats depart Saturdays only, weather permitting, and the ticket office is shut.';
  const { deps } = inOrder(
    { text: 'The ferry to the island leaves from the eastern pier.' },
    { calls: [['echo', { text: page }]] },
    { text: JSON.stringify({ name: 'confirm_answer', arguments: { answer: after } }) },
    { text: after },
  );
  expect(finalTextOf(await collect(deps))).toBe(after);
});

describe('a model that thinks in its output', () => {
  test('is asked once more, with more room, where it has thought all of it', async () => {
    let room = 0;
    const { deps, requests } = makeAgent((_, number) =>
      number === 1 ? { finish: 'length' } : number === 2 ? { text: 'Noon.' } : confirm,
    );
    deps.reasoning.thinkingTokens = () => room;
    deps.reasoning.noteThinking = () => {
      if (room > 0) return false;
      room = 1_000;
      return true;
    };
    expect(finalTextOf(await collect(deps))).toBe('Noon.');
    expect(requests[1]?.messages).toEqual(requests[0]?.messages);
    expect(requests.map(({ max_tokens }) => max_tokens - limits.outputTokensPerCompletion)).toEqual([
      0, 1_000, 1_000,
    ]);
  });

  test('is given more room once: a second completion that was used up counts as empty', async () => {
    const { deps, requests } = makeAgent((_, number) =>
      number <= 2 ? { finish: 'length' } : number === 3 ? { text: 'Noon.' } : confirm,
    );
    deps.reasoning.noteThinking = () => true;
    expect(finalTextOf(await collect(deps))).toBe('Noon.');
    expect(requests[2]?.messages.at(-1)?.content).toBe(emptyNote);
  });

  test('writes no more for people than any other: the rest is cut, and the answer is continued', async () => {
    const words = ' seen'.repeat(limits.outputTokensPerCompletion);
    const script = inOrder({ text: `${words} and not seen` }, { text: ' to the end.' }, confirm);
    script.deps.reasoning.thinkingTokens = () => 1_000;
    expect(finalTextOf(await collect(script.deps))).toBe(`${words} to the end.`);
  });
});

test('what goes back to a provider counts in what is set aside for the next completion', async () => {
  const boundsWith = async (thought: string) => {
    const { deps } = makeAgent([{ calls: [['echo', { text: 'a' }]] }, { text: 'Noon.' }]);
    const { complete } = deps.reasoning;
    const { start } = deps.calls;
    const bounds: number[] = [];
    deps.reasoning.price = () => ({ inputPerMillionTokens: 1_000, outputPerMillionTokens: 1_000 });
    deps.reasoning.complete = async (request, options) => {
      const completion = await complete(request, options);
      const opaque = { upstream: 'u', message: { reasoning_content: thought } };
      return { ...completion, message: { ...completion.message, opaque } };
    };
    deps.calls.start = (bound, kind, known) => {
      bounds.push(bound.mostNanoEuro);
      return start(bound, kind, known);
    };
    await collect(deps);
    return bounds;
  };
  const [short, long] = [await boundsWith('x'), await boundsWith('x'.repeat(5_001))];
  expect(long[0]).toBe(short[0]);
  expect(long[1]! - short[1]!).toBe(5_000 * 1_000_000);
});
