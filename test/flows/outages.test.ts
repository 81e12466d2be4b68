import { createLog, limits } from '@errand/platform';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import type { ChatRequest, Provider, ScriptedAnswer } from '../support/model-server.ts';
import type { RunEvent, TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let clock: HeldClock;
let lines: Record<string, unknown>[] = [];
/** Set while the provider refuses connections. */
let comeBack: (() => Promise<void>) | undefined;
/** What each wait does besides moving the clock. */
let whileWaiting: () => Promise<void> | void = () => {};

beforeAll(async () => {
  clock = heldClock(new Date().toISOString());
  clock.wait = async (milliseconds) => {
    clock.advance(milliseconds);
    await whileWaiting();
  };
});
useService(
  (started) => ({ provider, service } = started),
  () => ({
    clock,
    log: createLog((line) => void lines.push(JSON.parse(line))),
  }),
);
beforeEach(() => {
  lines = [];
});
afterEach(async () => {
  whileWaiting = () => {};
  await comeBack?.();
});

/** A conversation with a tool call: its answer depends on nothing but the conversation. */
function converse({ messages }: ChatRequest): ScriptedAnswer {
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  if (turn > 0) return { text: 'Noted.' };
  return { calls: [{ name: 'save_data', args: { name: 'colour', value: 'green' } }] };
}

const start = (): Promise<string> => service.start({ question: 'Note my colour.' });

/** A run's events and cost when nothing fails. */
async function undisturbed(): Promise<{ events: RunEvent[]; usage: unknown }> {
  provider.script(converse);
  const agentId = await start();
  const events = await service.follow(agentId);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  return { events, usage: (await service.read(agentId)).usage };
}

const linesOf = (message: string) => lines.filter((line) => line.message === message);

describe('runs outlive a provider', () => {
  const down: [string, ScriptedAnswer | 'refuse connections'][] = [
    ['answers 500', { status: 500 }],
    ['answers 429 without Retry-After', { status: 429 }],
    ['resets connections', 'break'],
    ['refuses connections', 'refuse connections'],
  ];
  const outages = down.flatMap(([how, fault]) => [
    { how, fault, seconds: 8, count: 10 },
    { how, fault, seconds: 180, count: 1 },
  ]);

  test.each(outages)(
    'that $how for $seconds s: $count of $count succeed, nothing is doubled',
    async (outage) => {
      const { fault, seconds, count } = outage;
      const reference = await undisturbed();
      for (let i = 0; i < count; i++) {
        const until = clock() + seconds * 1000;
        if (fault === 'refuse connections') await refuseUntil(until);
        else provider.script((request) => (clock() < until ? fault : converse(request)));
        const agentId = await start();
        expect(await service.follow(agentId)).toEqual(reference.events);
        expect(await service.read(agentId)).toMatchObject({ status: 'succeeded', usage: reference.usage });
        expect(clock()).toBeGreaterThanOrEqual(until);
      }
    },
  );
});

async function refuseUntil(until: number): Promise<void> {
  const listen = await provider.goAway();
  comeBack = async () => {
    comeBack = undefined;
    await listen();
  };
  whileWaiting = async () => {
    if (clock() >= until) await comeBack?.();
  };
}

test('a provider that fails for longer than the run waits fails the run, with nothing charged', async () => {
  const began = clock();
  provider.script(() => ({ status: 500 }));
  const agentId = await start();
  const events = await service.follow(agentId);
  expect(events.at(-1)).toMatchObject({ type: 'error', message: 'The model could not be reached.' });
  const waitedSeconds = (clock() - began) / 1000;
  expect(waitedSeconds).toBeGreaterThanOrEqual(limits.upstreamPatienceSeconds);
  expect(waitedSeconds).toBeLessThan(limits.upstreamPatienceSeconds + 60);
  expect(await service.read(agentId)).toMatchObject({ status: 'failed', usage: { credits: '0' } });
});

test('the final check waits for a minute, and then the run answers with what it has', async () => {
  let began = 0;
  provider.script((request) => {
    const isCheck = request.messages.filter(({ role }) => role === 'assistant').length === 2;
    if (!isCheck) return converse(request);
    began ||= clock();
    return { status: 500 };
  });
  const agentId = await start();
  const events = await service.follow(agentId);
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Noted.' });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  const waitedSeconds = (clock() - began) / 1000;
  expect(waitedSeconds).toBeGreaterThanOrEqual(limits.checkPatienceSeconds);
  expect(waitedSeconds).toBeLessThan(limits.checkPatienceSeconds + 15);
});

test('a provider that answers with pages of HTML is waited for too', async () => {
  const until = clock() + 60_000;
  const page = { status: 200, body: '<html>Bad gateway</html>' };
  provider.script((request) => (clock() < until ? page : converse(request)));
  const agentId = await start();
  expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  provider.script(() => page);
  const lasting = await start();
  expect((await service.follow(lasting)).at(-1)).toMatchObject({
    type: 'error',
    message: 'The model gave an answer that could not be read.',
  });
});

test('a run whose provider asks for a later retry frees its worker meanwhile', async () => {
  provider.script((request, number) =>
    number === 1 ? { status: 503, headers: { 'Retry-After': '5' } } : converse(request),
  );
  const agentId = await start();
  expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  expect(linesOf('run worked on').filter(({ outcome }) => outcome === 'waiting')).toHaveLength(1);
});

test('a key that the provider refuses ends the run at once', async () => {
  provider.script(() => ({ status: 401 }));
  const agentId = await start();
  expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'error' });
  expect(provider.requests).toHaveLength(1);
});

test('the log has one line when a run begins to wait, and says how its work went on and ended', async () => {
  const until = clock() + 30_000;
  provider.script((request) => (clock() < until ? { status: 429 } : converse(request)));
  const agentId = await start();
  await service.follow(agentId);
  provider.script(() => ({ status: 400 }));
  const refused = await start();
  await service.follow(refused);
  provider.script(() => ({ text: 'Noted.' }));
  const shape = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
  const unfit = await service.start({ question: 'Note my colour.', outputSchema: shape });
  await service.follow(unfit);
  const place = {
    model: expect.any(String),
    address: new URL(provider.baseUrl).host + new URL(provider.baseUrl).pathname,
  };
  expect(linesOf('run waits for the model provider')).toEqual([
    expect.objectContaining({ level: 'warn', agentId, ...place, failure: 'busy', status: 429 }),
  ]);
  expect(linesOf('model failed')).toEqual([
    expect.objectContaining({ agentId: refused, ...place, failure: 'refused', status: 400 }),
  ]);
  const outcomes = (of: string) =>
    linesOf('run worked on').flatMap((line) => (line.agentId === of ? [line.outcome] : []));
  expect(new Set(outcomes(agentId).slice(0, -1))).toEqual(new Set(['waiting']));
  await expect
    .poll(() => [outcomes(agentId).at(-1), outcomes(refused), outcomes(unfit)])
    .toEqual(['succeeded', ['refused'], ['schema']]);
});
