import { limits } from '@errand/platform';
import type { RunView } from '@errand/runs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ErrandUser, newUser } from '../client/support/errand-process.ts';
import { call, connectAgent } from '../mcp/support/agent.ts';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let user: ErrandUser;
let clock: HeldClock;
/** The quick tries of a call are closer together. */
const shortestPauseMilliseconds = 1_500;
/** Lets the runs that wait for the provider ask it again. */
let endPauses = Promise.withResolvers<void>();

beforeAll(() => {
  clock = heldClock(new Date().toISOString());
  clock.wait = async (milliseconds) => {
    if (milliseconds < shortestPauseMilliseconds) return;
    await endPauses.promise;
    clock.advance(milliseconds);
  };
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ clock, env: { ACTIVE_RUNS_PER_ACCOUNT: '1' } }),
);
beforeAll(async () => {
  user = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey });
});
afterEach(() => {
  endPauses.resolve();
  endPauses = Promise.withResolvers();
});
afterAll(() => user.leave());

const seconds = (at: string | undefined) => Date.parse(at ?? '') / 1000;

/** The provider fails until what is returned is called. */
function fail(): () => void {
  let isDown = true;
  provider.script(() => (isDown ? { status: 503 } : { text: 'Noon.' }));
  return () => {
    isDown = false;
    endPauses.resolve();
  };
}

const read = async (agentId: string) => (await service.read(agentId)) as unknown as RunView;

const waitsFor = (agentId: string, reason: string) =>
  eventually(async () => (await read(agentId)).waiting?.for).toBe(reason);

/** The text of the run's stream so far, and whole once it is over. */
function openStream(agentId: string): { text(): string; whole: Promise<string> } {
  let text = '';
  const reading = async () => {
    const { body } = await service.request(`/v1/agents/runs/${agentId}/stream`);
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) text += piece;
    return text;
  };
  return { text: () => text, whole: reading() };
}

describe('a run whose provider fails says', () => {
  test('in GET since when it waits, when the provider is asked again and until when, with nothing charged', async () => {
    const began = clock();
    const comeBack = fail();
    const agentId = await service.start({ question: 'When?' });
    await waitsFor(agentId, 'model_provider');
    const { waiting, usage, status } = await read(agentId);
    expect({ status, credits: usage.credits, since: waiting?.since }).toEqual({
      status: 'running',
      credits: '0',
      since: new Date(began).toISOString(),
    });
    expect(seconds(waiting?.until) - seconds(waiting?.since)).toBe(limits.upstreamPatienceSeconds);
    expect(seconds(waiting?.retryAt)).toBeGreaterThan(seconds(waiting?.since));
    comeBack();
    await service.follow(agentId);
    expect(await read(agentId)).not.toHaveProperty('waiting');
  });

  test('the same in a comment of its stream, and no event beside those of a run that never waited', async () => {
    provider.script(() => ({ text: 'Noon.' }));
    const undisturbed = await service.follow(await service.start({ question: 'When?' }));
    const comeBack = fail();
    const agentId = await service.start({ question: 'When?' });
    const stream = openStream(agentId);
    await waitsFor(agentId, 'model_provider');
    const { waiting } = await read(agentId);
    const comment = `: waiting ${JSON.stringify(waiting)}\n: waiting for the model provider\n\n`;
    await eventually(stream.text).toContain(comment);
    comeBack();
    await stream.whole;
    expect(await service.follow(agentId)).toEqual(undisturbed);
  });

  test('in words to a person who has asked it with errand', async () => {
    const comeBack = fail();
    const asking = user.start(['ask', 'When?']);
    await asking.says('Waiting for the model provider since ');
    comeBack();
    const { stdout, stderr } = await asking.ended;
    expect(stdout).toBe('Noon.\n');
    expect(stderr).toMatch(
      /Waiting for the model provider since [\d:]{8}\. It is .+, until [\d:]{8} at the latest\. Nothing is charged meanwhile\.\n/,
    );
    expect(stderr.split('Waiting for')).toHaveLength(2);
  });

  test('in words to an agent that waits for it through MCP, on the way and at the end of its wait', async () => {
    const comeBack = fail();
    const agent = await connectAgent(service);
    const agentId = await service.start({ question: 'When?' });
    const told: string[] = [];
    const onprogress = ({ message = '' }) => void told.push(message);
    await waitsFor(agentId, 'model_provider');
    const { waiting } = await read(agentId);
    const answer = await call(agent, 'get_run', { agentId, waitSeconds: 0 });
    expect(answer.data).toMatchObject({ status: 'running', waiting });
    const words = /waits for its model provider since \S+Z, until \S+Z at the latest\. .*nothing is charged/;
    expect(answer.text).toMatch(words);
    const waited = call(agent, 'get_run', { agentId }, { onprogress });
    await eventually(() => told.join('\n')).toMatch(words);
    comeBack();
    expect((await waited).data).toMatchObject({ status: 'succeeded', answer: 'Noon.' });
    await agent.close();
  });
});

test('a run behind others of its account says so in GET, in a comment of its stream and to errand, until its turn comes', async () => {
  const comeBack = fail();
  const first = await service.start({ question: 'First?' });
  await waitsFor(first, 'model_provider');
  const second = await service.start({ question: 'Second?' });
  clock.advance(2_000);
  const { waiting, createdAt } = await read(second);
  expect(waiting).toEqual({ for: 'queue', since: createdAt });
  const stream = openStream(second);
  await eventually(stream.text).toContain(`: waiting ${JSON.stringify(waiting)}\n: waiting for its turn\n\n`);
  const watching = user.start(['runs', 'watch', second]);
  await watching.says('Waiting for a worker since ');
  comeBack();
  expect(await watching.ended).toMatchObject({ code: 0, stdout: 'Noon.\n' });
  expect(await read(second)).not.toHaveProperty('waiting');
  await stream.whole;
});
