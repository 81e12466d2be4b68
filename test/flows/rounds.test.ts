import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { heldClock } from '../support/accounts.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

const waits: number[] = [];
/** The clock moves by each wait in full: a run whose pause does not pass waits for ever. */
const clock = heldClock(new Date().toISOString());

clock.wait = async (milliseconds) => {
  waits.push(milliseconds);
  clock.advance(milliseconds);
};

useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FILE_EXPORT_ENABLED: 'false' }, clock }),
);

const call = { calls: [{ name: 'write_todos', args: { todos: [] } }] };

test('a model that never stops calling tools answers when its rounds are used up, and the run succeeds', async () => {
  provider.script((request) => (request.tool_choice === 'none' ? { text: 'Enough.' } : call));
  const events = await service.follow(await service.start({ question: 'Loop' }));
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Enough.' });
  const loop = events.slice(
    0,
    events.findIndex(({ type }) => type === 'step_complete'),
  );
  expect(loop.filter(({ type }) => type === 'tool_call')).toHaveLength(limits.roundsPerRun);
  const check = events.slice(loop.length);
  expect(check.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  expect(provider.requests.map(({ tool_choice }) => tool_choice)).toEqual([
    ...Array(limits.roundsPerRun).fill('auto'),
    'none',
    'auto',
    'none',
  ]);
  expect(provider.requests.every(({ max_tokens }) => max_tokens === 4096)).toBe(true);
});

test('the check may use a tool and answer again', async () => {
  provider.script(inTurn({ text: 'First.' }, call, { text: 'Better.' }));
  const events = await service.follow(await service.start({ question: 'Check' }));
  expect(events.map(({ type }) => type)).toEqual([
    'step_start',
    'text',
    'step_complete',
    'step_start',
    'tool_call',
    'tool_result',
    'text',
    'step_complete',
    'done',
  ]);
  expect(events.at(-1)).toMatchObject({ finalText: 'Better.' });
});

test('a turn with more calls than may be made has all of them answered', async () => {
  const calls = Array.from({ length: 40 }, (_, i) => ({
    name: 'save_data',
    args: { name: `n${i}`, value: `${i}` },
  }));
  provider.script(inTurn({ calls }, { text: 'Saved.' }));
  const events = await service.follow(await service.start({ question: 'Many' }));
  const results = events.filter(({ type }) => type === 'tool_result').map(({ result }) => result);
  expect(results).toEqual(
    calls.map(({ args }, i) =>
      i < limits.toolCallsPerCompletion
        ? `Saved "${args.name}" (${args.value.length} characters).`
        : 'Error: This call was not made: a turn may make 16.',
    ),
  );
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
});

test('an upstream that is busy is retried after its Retry-After', async () => {
  waits.length = 0;
  provider.script((_, number) =>
    number === 1 ? { status: 429, headers: { 'Retry-After': '7' } } : { text: 'There.' },
  );
  const events = await service.follow(await service.start({ question: 'Patience' }));
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'There.' });
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(7_000);
});

test('an upstream that refuses the key of the service ends the run with words for its caller, at once', async () => {
  waits.length = 0;
  const body = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-live-1' } });
  provider.script(() => ({ status: 401, body }));
  const agentId = await service.start({ question: 'Anyone?' });
  const message = 'The model is not set up: its provider refuses this service. Its operator must mend that.';
  expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'error', message });
  expect(await service.read(agentId)).toMatchObject({ status: 'failed', error: message });
  expect(waits).toEqual([]);
});

/** The longest wait between the attempts of one request. The first pauses of a run are longer. */
const longestRetryMilliseconds = 1_000;

test.each([
  ['that breaks every connection', 'break' as const],
  ['that answers 500', { status: 500 }],
])(
  'an upstream %s is waited for with growing pauses, and then the run ends with an error',
  async (_, fault) => {
    waits.length = 0;
    provider.script(() => fault);
    const agentId = await service.start({ question: 'Anyone?' });
    const events = await service.follow(agentId);
    expect(events.at(-1)).toMatchObject({ type: 'error', message: 'The model could not be reached.' });
    expect(await service.read(agentId)).toMatchObject({ status: 'failed' });
    expect(provider.requests.length).toBeGreaterThanOrEqual(5);
    const first = waits.findIndex((milliseconds) => milliseconds > longestRetryMilliseconds);
    const waited = waits.slice(first).reduce((sum, milliseconds) => sum + milliseconds, 0);
    const late = waited - limits.upstreamPatienceSeconds * 1000;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(longestRetryMilliseconds);
    const pauses = waits.filter((milliseconds) => milliseconds > longestRetryMilliseconds);
    expect(pauses[4]).toBeGreaterThan(pauses[0] ?? Number.NaN);
    const { amount } = await charged(agentId);
    expect(amount).toBe(0);
  },
);

async function charged(agentId: string): Promise<{ amount: number }> {
  const { usage } = (await service.read(agentId)) as { usage: { credits: string } };
  return { amount: Number(usage.credits) };
}

test('a run whose account may not export files puts the content into its answer', async () => {
  const calls = [{ name: 'save_file', args: { filename: 'a.md', content: '# A' } }];
  provider.script(inTurn({ calls }, { text: 'Here it is: # A' }));
  const events = await service.follow(await service.start({ question: 'Save' }));
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    result: 'Error: File export is not enabled',
  });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Here it is: # A' });
});

test('a refusal of the upstream ends the run with its reason, without keys', async () => {
  provider.script(() => ({ status: 400, body: '{"error":"upstream-writer has no tools, sk-123"}' }));
  const agentId = await service.start({ question: 'Refuse' });
  const events = await service.follow(agentId);
  expect(events.at(-1)).toEqual({ id: 2, type: 'error', message: 'writer has no tools, [removed]' });
  expect(await service.read(agentId)).toMatchObject({
    status: 'failed',
    error: 'writer has no tools, [removed]',
  });
});

test('the first answer is given again if the upstream fails in the check', async () => {
  provider.script((_, number) => (number === 1 ? { text: 'Kept.' } : { status: 400 }));
  const events = await service.follow(await service.start({ question: 'Half' }));
  expect(events.filter(({ type }) => type === 'text').map(({ text }) => text)).toEqual(['Kept.', 'Kept.']);
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Kept.' });
});

test('input that only the caller has is asked for, and ends the run', async () => {
  const expected = [{ name: 'audioUrl', description: 'The recording of the meeting' }];
  provider.script(
    inTurn({ calls: [{ name: 'request_input', args: { message: 'I need the recording.', expected } }] }),
  );
  const agentId = await service.start({ question: 'What was decided in the meeting?' });
  const events = await service.follow(agentId);
  expect(events.at(-1)).toEqual({
    id: events.length,
    type: 'input_required',
    message: 'I need the recording.',
    expected,
  });
  expect(await service.read(agentId)).toMatchObject({
    status: 'awaiting_input',
    result: 'I need the recording.',
  });
});

test('asking for a field that a run cannot carry is a mistake that the model reads', async () => {
  const expected = [{ name: 'password', description: 'Yours' }];
  provider.script(
    inTurn(
      { calls: [{ name: 'request_input', args: { message: 'Tell me', expected } }] },
      { text: 'Sorry.' },
    ),
  );
  const events = await service.follow(await service.start({ question: 'Phish' }));
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    toolName: 'request_input',
    result: expect.stringMatching(/^Error: The arguments of request_input are wrong/),
  });
  expect(events.at(-1)).toMatchObject({ type: 'done' });
});
