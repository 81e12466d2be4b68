import { limits } from '@errand/platform';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { setLimit } from '../../test/support/set-limit.ts';
import type { AgentInput } from './conversation.ts';
import type { CompletionRequest } from './deps.ts';
import { followRun } from './follow.ts';
import { runAgent } from './run-agent.ts';
import { type AgentState, initialState } from './state.ts';
import { echo, makeAgent, type Scripted, takenOver } from './test-support/scripted-agent.ts';
import { defineTool, type Tool } from './tool.ts';
import { callersFunction } from './tools/callers-function.ts';
import { requestInput } from './tools/request-input.ts';
import { unreadOf } from './unread.ts';

const resultOf = (json: string) => `stock for ${json}`;
const stock = callersFunction({ name: 'stock', description: 'The stock.' });
/** The same function as a tool of the run. */
const stockTool: Tool = {
  ...stock,
  isCallers: undefined,
  run: async (args) => ({ text: resultOf(JSON.stringify(args)) }),
};
const saved: string[] = [];
const save = defineTool({
  name: 'save',
  description: 'Saves.',
  parameters: v.object({ text: v.string() }),
  timeoutMilliseconds: 1_000,
  sends: 'nothing',
  async run({ text }) {
    saved.push(text);
    return `saved ${text}`;
  },
});
const reading = { ...echo, readsOnly: true };

const toolsOf = (fn: Tool): Tool[] => [reading, fn, save, requestInput()];

/** The calls of a round. The last one may be cut. */
const round = fc.record({
  calls: fc.array(fc.constantFrom('echo', 'stock', 'save', 'no_such_tool'), { minLength: 1, maxLength: 4 }),
  isCut: fc.boolean(),
});
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

/** The last call of a check is a round of its own, unless it confirms at once. */
const scripted = (rounds: readonly Round[], isChecked = false): Scripted[] => [
  ...rounds.map(({ calls, isCut }, n): Scripted => {
    const made = calls.map((name, i): [string, unknown] => {
      const isBroken = isCut && i === calls.length - 1;
      return [name, isBroken ? '{"te' : { text: `${n}-${i}` }];
    });
    return { calls: made, finish: isCut ? 'length' : 'stop' };
  }),
  { text: 'It is done.' },
  ...(isChecked ? [{ calls: [['echo', { text: 'again' }]] } satisfies Scripted] : []),
  { calls: [['confirm_answer', {}]] },
];

/** What the model saw, with the ids of calls in the order in which they appear: each run counts its own. */
function seenOf(requests: readonly CompletionRequest[]): unknown[] {
  return requests.map(({ messages }) => {
    const ids = messages.flatMap((m) =>
      m.role === 'assistant' ? (m.tool_calls ?? []).map(({ id }) => id) : [],
    );
    return messages.map((m) => {
      if (m.role === 'tool') return { ...m, tool_call_id: ids.indexOf(m.tool_call_id) };
      if (m.role !== 'assistant' || !m.tool_calls) return m;
      return { ...m, tool_calls: m.tool_calls.map((call) => ({ ...call, id: ids.indexOf(call.id) })) };
    });
  });
}

type Agent = ReturnType<typeof makeAgent>;

/** Runs up to the piece with this number, or to the end, and gives the state as it is stored. */
async function runTo({ deps }: Agent, input: AgentInput, from: AgentState, piece = Number.POSITIVE_INFINITY) {
  let state = from;
  let left = piece;
  if (left === 0) return takenOver(state);
  for await (const progress of runAgent(deps, input, from)) {
    state = progress.state;
    if (--left === 0) break;
  }
  return takenOver(state);
}

const goOn = (input: AgentInput, state: AgentState, coming: Omit<AgentInput, 'question'> = {}, place = 1) =>
  takenOver(followRun({ input, state }, { place, coming, now: Date.UTC(2026, 10, 21) }).state);

/** The input of a run that goes on without a question, as its creation makes it. */
function retryOf(input: AgentInput, state: AgentState): AgentInput {
  const { recording: attachment, ...unread } = unreadOf(input, state);
  return { ...unread, attachment, question: 'q', continues: true };
}

async function inOneRun(script: Scripted[], input: AgentInput): Promise<unknown[]> {
  const agent = makeAgent(script, toolsOf(stockTool));
  await runTo(agent, input, initialState);
  return seenOf(agent.requests);
}

const few = { numRuns: 150 };

test('a chain whose caller makes and approves calls shows the model what one run with these tools would have', async () => {
  setLimit('roundsPerRun', 4);
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 5 }), async (rounds) => {
      const first: AgentInput = { question: 'q' };
      saved.length = 0;
      const whole = await inOneRun(scripted(rounds), first);
      const made = saved.splice(0);
      const agent = makeAgent(scripted(rounds), toolsOf(stock));
      agent.deps.approving = { except: [], names: [], writes: true };
      let input = first;
      let state = await runTo(agent, input, initialState);
      while (state.phase === 'ended' && state.calls) {
        const asked = state.asked ?? [];
        const next: AgentInput = {
          question: 'q',
          continues: true,
          functionResults: asked.flatMap(({ type, id, arguments: json }) =>
            type === 'function' ? { callId: id, result: resultOf(json) } : [],
          ),
          approvals: asked.flatMap(({ type, id }) =>
            type === 'approval' ? { callId: id, approve: true } : [],
          ),
        };
        const from = goOn(input, state);
        input = next;
        state = await runTo(agent, input, from);
      }
      expect(seenOf(agent.requests)).toEqual(whole);
      expect(saved).toEqual(made);
    }),
    few,
  );
});

const log = { kind: 'document', filename: 'a.txt', text: 'Ahoy.', material: 'upload' } as const;
const talk = { kind: 'recording', filename: 'a.mp3', url: 'https://bucket.test/a.mp3' } as const;
const audioUrl = 'https://site.test/b.mp3';
const filesOfRuns: readonly Omit<AgentInput, 'question'>[] = [
  {},
  { attachment: log },
  { attachment: log, audioUrl },
  { attachment: talk, audioUrl, documentUrl: 'https://site.test/c.png' },
  { attachment: talk, documentUrl: 'https://site.test/c.pdf' },
];

/** An agent that notes which files it reads before its model sees the question. */
function readingAgent(script: Scripted[], tools: Tool[]) {
  const agent = makeAgent(script, tools);
  const { see, transcribe } = agent.deps.readers;
  const read: string[] = [];
  agent.deps.readers.see = (url, ...rest) => {
    read.push(url);
    return see(url, ...rest);
  };
  agent.deps.readers.transcribe = (url, signal) => {
    read.push(url);
    return transcribe(url, signal);
  };
  return { ...agent, read };
}

/** The parts of each question in one order: a run that was stopped has named its files before those of the next. */
const withPartsInOrder = (seen: unknown[]): unknown[] =>
  seen.map((messages) =>
    (messages as { role: string; content: string }[]).map((m) =>
      m.role === 'user' ? { ...m, content: m.content.split('\n\n').toSorted() } : m,
    ),
  );

test('a run that is stopped anywhere, and again, goes on as if it had not been stopped, and reads each file once', async () => {
  setLimit('roundsPerRun', 4);
  const cuts = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { maxLength: 5 }),
      cuts,
      fc.constantFrom(...filesOfRuns),
      fc.boolean(),
      async (rounds, stops, files, isChecked) => {
        const script = scripted(rounds, isChecked);
        let input: AgentInput = { question: 'q', ...files };
        const whole = readingAgent(script, toolsOf(stockTool));
        await runTo(whole, input, initialState);
        const agent = readingAgent(script, toolsOf(stockTool));
        let state: AgentState = initialState;
        for (const [i, piece] of stops.entries()) {
          const left = await runTo(agent, input, state, piece);
          if (left.phase === 'ended') return;
          const next = retryOf(input, left);
          state = goOn(input, left, next, i + 1);
          input = next;
        }
        await runTo(agent, input, state);
        const isNamedLater = whole.read.length > 0;
        const seen = [agent, whole].map(({ requests }) => seenOf(requests));
        const [chain, one] = isNamedLater ? seen.map(withPartsInOrder) : seen;
        expect(chain).toEqual(one);
        expect(agent.read).toEqual(whole.read);
      },
    ),
    few,
  );
});

test('a recording that was asked for answers that call, also if the run that brought it was stopped before it was read', async () => {
  const ask = { message: 'Which?', expected: [{ name: 'audioUrl', description: 'It.' }] };
  const agent = makeAgent([{ calls: [['request_input', ask]] }, { text: 'Ready.' }], toolsOf(stock));
  const asked = await runTo(agent, { question: 'q' }, initialState);
  let input: AgentInput = { question: 'q', continues: true, audioUrl };
  let state = goOn({ question: 'q' }, asked, input);
  for (const piece of [0, 1]) {
    const left = await runTo(agent, input, state, piece);
    const next = retryOf(input, left);
    state = goOn(input, left, next);
    input = next;
  }
  await runTo(agent, input, state);
  expect(agent.requests[1]?.messages.slice(2)).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', content: expect.stringContaining('Speaker 1: hi') },
  ]);
});

test('what a stopped run had read at an address is not taken for a file of its caller', () => {
  const input: AgentInput = {
    question: 'q',
    attachment: talk,
    audioUrl,
    documentUrl: 'https://site.test/c.png',
  };
  const state: AgentState = {
    ...initialState,
    phase: 'forced',
    forced: [
      { tool: 'audio_transcribe', url: talk.url },
      { tool: 'audio_transcribe', url: audioUrl },
      { tool: 'vision', imageUrl: 'https://site.test/c.png' },
    ],
    readings: ['What was sent.', 'What was at an address.'],
  };
  const { followed } = followRun({ input, state }, { place: 1, coming: {}, now: 0 }).state;
  expect(followed?.readings).toEqual(['What was sent.']);
  expect(followed?.messages.at(-1)?.content).toContain('What was at an address.');
});

test('the question of a sub-run that may have pieces of a file is kept as one by the run that goes on from it', () => {
  const ended: AgentState = { ...initialState, phase: 'ended' };
  const readingsOf = (input: AgentInput) =>
    followRun({ input, state: ended }, { place: 1, coming: {}, now: 0 }).state.followed?.readings;
  expect(readingsOf({ question: 'The merger?' })).toEqual([]);
  expect(readingsOf({ question: 'The merger?', hasPrivateQuestion: true })).toEqual(['The merger?']);
});

test('an address in whose place another has come, or that the model reads itself, is still named', () => {
  const input: AgentInput = {
    question: 'q',
    attachment: talk,
    audioUrl,
    documentUrl: 'https://site.test/c.pdf',
  };
  const namedAfter = (state: AgentState, coming: Omit<AgentInput, 'question'>) =>
    followRun({ input, state }, { place: 1, coming, now: 0 }).state.followed?.messages.at(-1)?.content;
  const other = { audioUrl: 'https://site.test/d.mp3', documentUrl: input.documentUrl };
  expect(namedAfter(initialState, other)).toBe(`q\n\naudioUrl: ${audioUrl}`);
  const forced: AgentState = {
    ...initialState,
    phase: 'forced',
    forced: [
      { tool: 'audio_transcribe', url: talk.url },
      { tool: 'audio_transcribe', url: audioUrl },
    ],
  };
  expect(namedAfter(forced, { audioUrl })).toBe(`q\n\ndocumentUrl: ${input.documentUrl}`);
});

const call = (id: string, name: string, json = '{"text":"x"}') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: json },
});

/** A run that was stopped with a call that is still to be made. */
const stoppedWith = (over: Partial<AgentState>): AgentState =>
  ({
    ...initialState,
    phase: 'act',
    part: 'loop',
    step: 1,
    completions: 2,
    rounds: 1,
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'q' },
      { role: 'assistant', content: null, tool_calls: [call('c', 'echo')] },
    ],
    calls: [call('c', 'echo')],
    announced: 0,
    ...over,
  }) as AgentState;

test('a run that is stopped while its citations are made has its answer checked again, and writes no other', async () => {
  const page = defineTool({
    name: 'page',
    description: 'Reads.',
    parameters: v.object({}),
    timeoutMilliseconds: 1_000,
    sends: 'nothing',
    run: async () => ({
      text: 'Ships.',
      cited: {
        sources: [{ kind: 'page', url: 'https://site.test/1', snippet: 'It tells of ships.' }],
        text: ([number]) => `[${number}] Ships.`,
      },
    }),
  });
  const answer = 'It tells of ships [1].';
  const script: Scripted[] = [
    { calls: [['page', {}]] },
    { text: answer },
    { calls: [['confirm_answer', {}]] },
  ];
  const agent = makeAgent(script, [page]);
  let state: AgentState = initialState;
  for (let piece = 1; state.phase !== 'cite'; piece++)
    state = await runTo(agent, { question: 'q' }, initialState, piece);
  agent.requests.length = 0;
  const end = await runTo(agent, { question: 'q', continues: true }, goOn({ question: 'q' }, state));
  expect(agent.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual([
    expect.stringContaining('Before this is sent'),
  ]);
  expect(end).toMatchObject({ conversation: { messages: [{}, {}, {}, {}, { content: answer }] } });
  agent.requests.length = 0;
  await runTo(agent, { question: 'More?' }, goOn({ question: 'q' }, state));
  expect(agent.requests[0]?.messages.slice(-2)).toEqual([
    { role: 'assistant', content: answer },
    { role: 'user', content: 'More?' },
  ]);
});

test('a call that followed from material from outside still does so in the run that makes it', () => {
  const outsideOf = (outsideSince: number | undefined) =>
    goOn({ question: 'q' }, stoppedWith({ outsideSince })).outsideSince;
  expect([outsideOf(undefined), outsideOf(1), outsideOf(2)]).toEqual([undefined, -1, 0]);
});

test('what is said in place of a question stands behind the answers of all calls', async () => {
  const agent = makeAgent([{ text: 'Ready.' }], toolsOf(stock));
  const input: AgentInput = { question: 'q', continues: true, documentUrl: 'https://site.test/a' };
  await runTo(agent, input, goOn({ question: 'q' }, stoppedWith({})));
  expect(agent.requests[0]?.messages.slice(2)).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', content: expect.stringContaining('not made') },
    { role: 'user', content: 'documentUrl: https://site.test/a' },
  ]);
});

test('a missing server of tools says nothing between an approved call and its answer', async () => {
  const agent = makeAgent([{ calls: [['save', { text: 'a' }]] }, { text: 'Ready.' }], toolsOf(stock));
  agent.deps.approving = { except: [], names: ['save'], writes: false };
  const asked = await runTo(agent, { question: 'q' }, initialState);
  const callId = (asked.phase === 'ended' && asked.asked?.[0]?.id) || '';
  const brought = {
    open: async () => ({ tools: [], notices: [{ toolName: 'shop__list_tools', result: 'Error: gone.' }] }),
    secrets: [],
    close: async () => {},
  };
  const input: AgentInput = { question: 'q', continues: true, approvals: [{ callId, approve: true }] };
  await runTo({ ...agent, deps: { ...agent.deps, brought } }, input, goOn({ question: 'q' }, asked));
  expect(agent.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ]);
});

test('an approval is of one call alone, also where a model gives two calls of a turn one id', async () => {
  const twice = () => ({
    message: {
      role: 'assistant',
      content: null,
      tool_calls: ['a', 'b'].map((text) => call('c', 'save', JSON.stringify({ text }))),
    },
    finishReason: 'stop',
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
    inferenceMilliseconds: 1,
  });
  const agent = makeAgent([{ text: 'Ready.' }], toolsOf(stock));
  const { complete } = agent.deps.reasoning;
  let number = 0;
  agent.deps.reasoning.complete = async (...given) =>
    number++ === 0 ? (twice() as Awaited<ReturnType<typeof complete>>) : complete(...given);
  agent.deps.approving = { except: [], names: ['save'], writes: false };
  const asked = await runTo(agent, { question: 'q' }, initialState);
  const calls = asked.phase === 'ended' ? (asked.asked ?? []) : [];
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  saved.length = 0;
  const approvals = calls.map(({ id }, i) => ({ callId: id, approve: i === 0 }));
  await runTo(agent, { question: 'q', continues: true, approvals }, goOn({ question: 'q' }, asked));
  expect(saved).toEqual(['a']);
});

test('a result that does not fit the context is cut, and the conversation still fits', async () => {
  const agent = makeAgent([{ calls: [['stock', {}]] }, { text: 'Ready.' }], toolsOf(stock));
  const asked = await runTo(agent, { question: 'q' }, initialState);
  const callId = (asked.phase === 'ended' && asked.asked?.[0]?.id) || '';
  const result = 'rope '.repeat(limits.replyCharacters / 5);
  const input: AgentInput = { question: 'q', continues: true, functionResults: [{ callId, result }] };
  await runTo(agent, input, goOn({ question: 'q' }, asked));
  const sent = JSON.stringify(agent.requests[1]?.messages);
  expect(sent).toContain('rope rope');
  expect(sent.length).toBeLessThan(agent.deps.reasoning.contextTokens! * 3);
});

test('files of one name in a chain keep names of their own', () => {
  const namesAfter = (filenames: string[], coming: string) => {
    const sources = filenames.map((filename, i) => ({ number: i + 1, kind: 'document' as const, filename }));
    const state = { ...initialState, sources };
    const attachment = { ...log, filename: coming };
    const carried = followRun(
      { input: { question: 'q' }, state },
      { place: 1, coming: { attachment }, now: 0 },
    );
    return carried.state.sources.map(({ filename }) => filename);
  };
  expect(namesAfter(['a.txt', 'b.txt'], 'a.txt')).toEqual(['earlier a.txt', 'b.txt']);
  expect(namesAfter(['earlier a.txt', 'a.txt'], 'a.txt')).toEqual(['earlier earlier a.txt', 'earlier a.txt']);
  expect(namesAfter(['data.txt'], 'a.txt')).toEqual(['data.txt']);
  expect(namesAfter(['earlier a.txt'], 'a.txt')).toEqual(['earlier a.txt']);
});

test('what was seen in the image of a run that was stopped before it began is shown to the run that goes on', () => {
  const image = {
    kind: 'image',
    filename: 'a.png',
    url: 'https://a.example/a.png',
    description: 'A red boat.',
  };
  const input = { question: 'q', attachment: image } as AgentInput;
  const waiting = { ...initialState, phase: 'forced' as const, forced: [] };
  for (const state of [initialState, waiting]) {
    const carried = followRun({ input, state }, { place: 1, coming: {}, now: 0 }).state;
    expect(carried.followed?.messages.at(-1)?.content).toContain('source [1]:\n\nA red boat.');
    expect(carried.sources).toMatchObject([{ number: 1, kind: 'image', filename: 'a.png' }]);
  }
});
