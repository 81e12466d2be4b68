import { UpstreamError } from '@errand/models';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { runAgent } from './run-agent.ts';
import { initialState } from './state.ts';
import {
  collect,
  eventsOf,
  makeAgent,
  type Scripted,
  takenOver,
  types,
} from './test-support/scripted-agent.ts';
import { defineTool, type ToolAnswer, ToolError } from './tool.ts';

describe('a run', () => {
  test('whose results outgrow the context keeps only as much of them as the model can still be shown', async () => {
    const long = 'a long result of many words '.repeat(1_200);
    const tome = defineTool({
      sends: 'nothing',
      name: 'tome',
      description: 'Has much to say.',
      parameters: v.object({}),
      timeoutMilliseconds: 1_000,
      run: async () => long,
    });
    const reading = { calls: [['tome', {}]] as [string, unknown][] };
    const { deps, requests } = makeAgent([...Array<Scripted>(12).fill(reading), { text: 'Ready.' }], [tome]);
    const all = await collect(deps);
    const sizes = all.map(({ state }) =>
      'messages' in state
        ? state.messages.reduce((sum, { role, content }) => sum + (role === 'tool' ? content.length : 0), 0)
        : 0,
    );
    expect(Math.max(...sizes)).toBeLessThan(4 * long.length);
    const last = requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(last).toHaveLength(12);
    expect(last[0]?.content).toMatch(
      /left out to fit the model's context: \d{5} characters.*Call tome again/,
    );
    expect(last.at(-1)?.content).toContain(long.slice(0, 30_000));
  });

  test('whose model gives its calls no ids gives each call an id of its own', async () => {
    const calls = [
      ['echo', { text: 'a' }],
      ['echo', { text: 'b' }],
    ] as [string, unknown][];
    const { deps, requests } = makeAgent([
      { calls, withoutIds: true },
      { calls, withoutIds: true },
      { text: 'Ready.' },
    ]);
    await collect(deps);
    const messages = requests.at(-1)?.messages ?? [];
    const asked = messages.flatMap((message) =>
      'tool_calls' in message ? (message.tool_calls as { id: string }[]).map(({ id }) => id) : [],
    );
    const answered = messages.flatMap((message) => ('tool_call_id' in message ? [message.tool_call_id] : []));
    expect(asked).toHaveLength(4);
    expect(new Set(asked).size).toBe(4);
    expect(answered).toEqual(asked);
  });

  test('whose model repeats the ids of its calls tells them apart', async () => {
    const turn: Scripted = {
      calls: [
        ['echo', { text: 'a' }],
        ['echo', { text: 'b' }],
      ],
    };
    const { deps, requests } = makeAgent([turn, turn, { text: 'Ready.' }]);
    await collect(deps);
    const answered = requests
      .at(-1)
      ?.messages.flatMap((message) => ('tool_call_id' in message ? [message.tool_call_id] : []));
    expect(answered).toEqual(['c0', 'c1', 'call00200', 'call00201']);
  });

  test('that is taken over after any piece goes on as if nothing had happened', async () => {
    const script = [
      {
        text: 'Hm.',
        calls: [
          ['echo', { text: 'a' }],
          ['echo', { text: 'b' }],
        ],
      },
      { text: 'Ready.' },
    ];
    const { deps } = makeAgent(script as Scripted[]);
    const input = { question: 'q', audioUrl: 'https://x/a.mp3', documentUrl: 'https://x/p.png' };
    const whole = await collect(deps, input);
    const toldBy = (pieces: typeof whole) => pieces.flatMap(({ events, costs }) => [...events, ...costs]);
    for (const [i, { state, events, alone }] of whole.entries()) {
      expect(toldBy(await collect(deps, input, takenOver(state)))).toEqual(toldBy(whole.slice(i + 1)));
      if (!alone) continue;
      // As a run that was stopped here leaves it, and as an earlier release has stored it.
      const announced = events.slice(alone.events.length);
      expect(announced.length).toBeGreaterThan(0);
      expect(toldBy(await collect(deps, input, takenOver(alone.state)))).toEqual([
        ...announced,
        ...toldBy(whole.slice(i + 1)),
      ]);
    }
    expect(whole.filter(({ alone }) => alone)).toHaveLength(3);
  });

  test('gives every piece of work a charge of its own', async () => {
    const { deps } = makeAgent([{ calls: [['echo', { text: 'a' }]] }, { text: 'Ready.' }]);
    const costs = (await collect(deps)).flatMap((progress) => progress.costs);
    expect(costs.map(({ id }) => id)).toEqual(['completion-1', 'completion-2', 'completion-3']);
  });

  test('numbers the forced step 1, shared by recording and image, before the loop', async () => {
    const { deps, requests } = makeAgent([{ text: 'A cat says hi.' }]);
    const input = { question: 'Who?', audioUrl: 'https://x/a.mp3', documentUrl: 'https://x/p.png' };
    const all = await collect(deps, input);
    expect(eventsOf(all).slice(0, 7)).toEqual([
      { type: 'step_start', step: 1, description: 'Executing tool' },
      { type: 'tool_call', toolName: 'audio_transcribe', input: { url: 'https://x/a.mp3' } },
      { type: 'tool_result', toolName: 'audio_transcribe', result: 'Speaker 1: hi' },
      { type: 'tool_call', toolName: 'vision', input: { imageUrl: 'https://x/p.png', question: 'Who?' } },
      { type: 'tool_result', toolName: 'vision', result: 'a cat' },
      { type: 'step_complete', step: 1 },
      { type: 'step_start', step: 2, description: 'LLM agentic loop' },
    ]);
    const prompt = requests[0]?.messages.at(-1)?.content;
    expect(prompt).toContain('Speaker 1: hi');
    expect(prompt).toContain('a cat');
    const kinds = all.flatMap(({ costs }) => costs.map(({ id, kind }) => [id, kind]));
    expect(kinds.slice(0, 2)).toEqual([
      ['forced-0-0', 'transcription'],
      ['forced-1-0', 'vision'],
    ]);
  });

  test("keeps what it read of the caller's own upload, and marks what it read at an address", async () => {
    const { deps, requests } = makeAgent([{ text: 'Both say hi.' }]);
    const own = 'https://own/a.mp3';
    deps.readers.transcribe = async (url) => ({
      text: url === own ? 'Speaker 1: own' : 'Speaker 1: strange',
      isOutside: url !== own,
    });
    const all = await collect(deps, {
      question: 'Who?',
      audioUrl: 'https://x/b.mp3',
      attachment: { kind: 'recording', filename: 'a.mp3', url: own },
    });
    const opening = String(requests[0]?.messages.at(-1)?.content);
    expect(opening).toMatch(/\n\nSpeaker 1: own\n/);
    expect(opening).toMatch(/<outside_material [^>]*>\nSpeaker 1: strange\n<\/outside_material>/);
    const last = all.at(-1)?.state;
    expect(last).toMatchObject({ readings: [expect.stringContaining('Speaker 1: own')], outsideSince: 0 });
  });

  test('that an earlier release has begun goes on', async () => {
    const { deps } = makeAgent([{ calls: [['echo', { text: 'a' }]] }, { text: 'Ready.' }]);
    const { knownValues: _, fetched: __, sources: ___, savedFiles: ____, ...earlier } = initialState;
    const all = await collect(deps, { question: 'q' }, readCheckpoint(JSON.stringify(earlier)));
    expect(types(all).at(-1)).toBe('done');
    expect(all.at(-1)?.state.fetched).toEqual({ bytes: 0, hosts: [] });
  });

  test('that an earlier release has left at any piece goes on, cites and ends', async () => {
    const page = defineTool({
      sends: 'nothing',
      name: 'page',
      description: 'Reads a page.',
      parameters: v.object({}),
      timeoutMilliseconds: 1_000,
      run: async () => ({
        text: '[1] noon',
        cited: {
          sources: [{ kind: 'result' as const, url: 'https://x/', snippet: 'noon' }],
          text: ([number]: readonly number[]) => `[${number}] noon`,
        },
      }),
    });
    const turn: Scripted = { calls: [['page', {}]] };
    const { deps } = makeAgent([turn, turn, { text: 'It is noon [1].' }], [page]);
    const input = {
      question: 'q',
      attachment: { kind: 'document', filename: 'a.txt', text: 'noon' },
    } as const;
    for (const { state } of (await collect(deps, input)).slice(0, -1)) {
      const { sources: _, savedFiles: __, ...earlier } = JSON.parse(writeCheckpoint(state));
      const rest = await collect(deps, input, readCheckpoint(JSON.stringify(earlier)));
      expect(eventsOf(rest).at(-1)).toEqual({ type: 'done', finalText: 'It is noon [1].' });
    }
  });

  test('whose forced read fails goes on with the failure as the result', async () => {
    const { deps } = makeAgent([{ text: 'Sorry.' }]);
    deps.readers.transcribe = async () => {
      throw new ToolError('Failed to fetch recording from URL: 404 Not Found');
    };
    const all = await collect(deps, { question: 'q', audioUrl: 'https://x/a.mp3' });
    expect(eventsOf(all)[2]).toMatchObject({
      result: 'Error: Failed to fetch recording from URL: 404 Not Found',
    });
    expect(types(all).at(-1)).toBe('done');
  });

  test.each([
    ['recording', { audioUrl: 'https://x/a.mp3' }, 'transcribe' as const],
    ['image', { documentUrl: 'https://x/p.png' }, 'see' as const],
  ])('whose %s the provider cannot read at the moment waits, and then reads it', async (_, files, reader) => {
    const { deps } = makeAgent([{ text: 'Read.' }]);
    const input = { question: 'q', ...files };
    const undisturbed = await collect(deps, input);
    const read = deps.readers[reader].bind(deps.readers) as () => Promise<ToolAnswer>;
    let failures = 3;
    deps.readers[reader] = async () => {
      if (failures-- > 0)
        throw new ToolError('It could not be reached.', {
          cause: new UpstreamError('busy', { status: 500 }),
        });
      return read();
    };
    const all = await collect(deps, input);
    expect(all.filter(({ pauseMilliseconds }) => pauseMilliseconds !== undefined)).toHaveLength(3);
    const worked = all.filter(({ pauseMilliseconds }) => pauseMilliseconds === undefined);
    expect(worked).toEqual(undisturbed);
  });

  test('whose forced read never comes through goes on with the failure, once its patience is over', async () => {
    const { deps } = makeAgent([{ text: 'Sorry.' }]);
    deps.readers.transcribe = async () => {
      throw new ToolError('It could not be reached.', { cause: new UpstreamError('broken') });
    };
    const all = await collect(deps, { question: 'q', audioUrl: 'https://x/a.mp3' });
    const pauses = all.flatMap(({ pauseMilliseconds }) => pauseMilliseconds ?? []);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(900_000);
    expect(eventsOf(all)[2]).toMatchObject({ result: 'Error: It could not be reached.' });
    expect(types(all).at(-1)).toBe('done');
  });

  test('whose provider answers again starts its next wait from zero', async () => {
    const { deps } = makeAgent([{ calls: [['echo', { text: 'a' }]] }, { text: 'Ready.' }]);
    const { complete } = deps.reasoning;
    let asked = 0;
    deps.reasoning.complete = (request, options) => {
      if (++asked % 4 !== 0) throw new UpstreamError('busy', { status: 429 });
      return complete(request, options);
    };
    const all = await collect(deps);
    expect(types(all).at(-1)).toBe('done');
    const told = all.map(({ state }) => state.waiting?.pauses);
    expect(told.filter((pauses) => pauses !== undefined)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect(all.filter(({ state, pauseMilliseconds }) => !state.waiting !== !pauseMilliseconds)).toEqual([]);
  });

  test('asks its model quickly and in bounded time: after a pause less often, in the check for half as long', async () => {
    const { deps } = makeAgent([{ text: 'Ready.' }]);
    const { complete } = deps.reasoning;
    const asked: [number, number][] = [];
    deps.reasoning.complete = (request, options) => {
      asked.push([options.attempts, options.timeoutMilliseconds]);
      if (asked.length === 1) throw new UpstreamError('broken');
      return complete(request, options);
    };
    await collect(deps);
    expect(asked).toEqual([
      [3, 360_000],
      [2, 360_000],
      [3, 180_000],
    ]);
  });

  test('whose model fails in the loop ends with an error', async () => {
    const { deps } = makeAgent([new UpstreamError('broken')]);
    expect(eventsOf(await collect(deps)).at(-1)).toEqual({
      type: 'error',
      message: 'The model could not be reached.',
    });
  });

  test('whose provider refuses the key of the service ends with the words of chat, without those of the provider', async () => {
    const words = 'Incorrect API key provided: sk-live-1';
    const { deps } = makeAgent([new UpstreamError('misconfigured', { status: 401, words })]);
    expect(eventsOf(await collect(deps)).at(-1)).toEqual({
      type: 'error',
      message: 'The model is not set up: its provider refuses this service. Its operator must mend that.',
    });
  });

  test('whose model says nothing at all ends with an error', async () => {
    const { deps } = makeAgent([{ text: '' }]);
    expect(eventsOf(await collect(deps)).at(-1)).toEqual({
      type: 'error',
      message: 'The model gave no answer.',
    });
  });

  test('that is aborted throws the reason and yields nothing more', async () => {
    const { deps } = makeAgent(
      [{ calls: [['hang', {}]] }],
      [
        defineTool({
          sends: 'nothing',
          name: 'hang',
          description: '',
          parameters: v.object({}),
          timeoutMilliseconds: 60_000,
          run: () => new Promise(() => {}),
        }),
      ],
    );
    const stop = new AbortController();
    const seen: string[] = [];
    const reason = new Error('stop');
    const run = (async () => {
      for await (const { events } of runAgent(deps, { question: 'q' }, initialState, stop.signal)) {
        seen.push(...events.map(({ type }) => type));
        if (seen.includes('tool_call')) stop.abort(reason);
      }
    })();
    await expect(run).rejects.toBe(reason);
    expect(seen).toEqual(['step_start', 'tool_call']);
  });
});

describe('a tool', () => {
  const failing = (run: () => Promise<string>, timeoutMilliseconds = 1_000) =>
    defineTool({
      sends: 'nothing',
      name: 'bad',
      description: '',
      parameters: v.object({}),
      timeoutMilliseconds,
      run,
    });

  test.each([
    [
      'that throws',
      failing(() => Promise.reject(new TypeError('secret'))),
      'Error: bad failed unexpectedly.',
    ],
    ['that refuses', failing(() => Promise.reject(new ToolError('No such thing'))), 'Error: No such thing'],
    [
      'that takes too long',
      failing(() => new Promise(() => {}), 1),
      'Error: bad took longer than 0.001 s and was stopped.',
    ],
  ])('%s is a result that the model reads', async (_, tool, message) => {
    const { deps, requests } = makeAgent([{ calls: [['bad', {}]] }, { text: 'Noted.' }], [tool]);
    const all = await collect(deps);
    expect(eventsOf(all)).toContainEqual({ type: 'tool_result', toolName: 'bad', result: message });
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: message });
    expect(types(all).at(-1)).toBe('done');
  });

  test('whose result is long has it cut for the model and whole in the event', async () => {
    const long = 'x'.repeat(500_000);
    const { deps, requests } = makeAgent(
      [{ calls: [['big', {}]] }, { text: 'Read.' }],
      [
        defineTool({
          sends: 'nothing',
          name: 'big',
          description: '',
          parameters: v.object({}),
          timeoutMilliseconds: 1_000,
          run: async () => long,
        }),
      ],
    );
    const all = await collect(deps);
    expect(eventsOf(all)).toContainEqual({ type: 'tool_result', toolName: 'big', result: long });
    const seen = String(requests[1]?.messages.at(-1)?.content);
    expect(seen.length).toBeLessThan(40_000);
    expect(seen).toMatch(/\[\d+ more characters were cut here to fit the model's context\.\]$/);
  });

  test.each([
    [undefined, 'No answer was reached in the rounds of tool calls that a run may make.'],
    [' I look on. ', 'I look on.'],
  ])(
    'calls that never end are cut at the cap, and the run answers with what it has: %j',
    async (text, answer) => {
      const { deps } = makeAgent([{ text: text || undefined, calls: [['echo', { text: 'a' }]] }]);
      // This model calls tools although it was told not to.
      const complete = deps.reasoning.complete;
      deps.reasoning.complete = async (request, options) => {
        const completion = await complete(request, options);
        const { message } = completion;
        return request.tool_choice === 'none'
          ? { ...completion, message: { ...message, content: null } }
          : completion;
      };
      const events = eventsOf(await collect(deps));
      expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(21);
      expect(
        events.filter((event) => event.type === 'text' && event.text === answer).length,
      ).toBeGreaterThanOrEqual(2);
      expect(events.at(-1)).toEqual({ type: 'done', finalText: answer });
    },
  );

  test.each(['', ' '])('call without arguments (%j) is shown with empty arguments', async (written) => {
    const { deps } = makeAgent([{ calls: [['echo', written]] }]);
    expect(eventsOf(await collect(deps))).toContainEqual({
      type: 'tool_call',
      toolName: 'echo',
      input: '{}',
    });
  });

  test('call that asks for input waits until the others of its turn are answered, then ends the run', async () => {
    const expected = [{ name: 'audioUrl', description: 'the recording' }];
    const { deps } = makeAgent([
      {
        calls: [
          ['request_input', { message: 'Need it.', expected }],
          ['echo', { text: 'a' }],
        ],
      },
    ]);
    expect(eventsOf(await collect(deps))).toEqual([
      { type: 'step_start', step: 1, description: 'LLM agentic loop' },
      { type: 'tool_call', toolName: 'echo', input: '{"text":"a"}' },
      { type: 'tool_result', toolName: 'echo', result: 'a' },
      { type: 'step_complete', step: 1 },
      { type: 'input_required', message: 'Need it.', expected },
    ]);
  });
});
