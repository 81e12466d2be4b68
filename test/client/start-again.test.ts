import { createErrand, type Fetch, type StartOptions } from '@errand/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

useService((started) => ({ provider, service } = started));
beforeAll(() => provider.script(() => ({ text: 'Twice.' })));

const twice = () => new File(['Twice? '.repeat(600_000)], 'twice.txt');

const pathOf = (input: Parameters<Fetch>[0]) =>
  new URL(input instanceof Request ? input.url : input).pathname;

/** A caller who gets this in place of what the service has answered to its first start. */
function callerOf(lose?: (answer: Response) => Response) {
  let losing = lose;
  const asked: string[] = [];
  const errand = createErrand({
    ...service,
    wait: async () => {},
    fetch: async (input, init) => {
      const path = pathOf(input);
      asked.push(path);
      const answer = await fetch(input, init);
      if (path !== '/v1/agents/runs' || !losing) return answer;
      const loseNow = losing;
      losing = undefined;
      return loseNow(answer);
    },
  });
  const start = (options: StartOptions) => errand.runs.start({ question: 'Twice?' }, options);
  return { start, uploads: () => asked.filter((path) => path === '/v1/uploads').length };
}

const page = () => new Response('<h1>Log in</h1>');
const elsewhere = () =>
  new Response(null, { status: 302, headers: { Location: 'https://login.example.com' } });
const noCredits = () => Response.json({ error: 'No credits.' }, { status: 402 });
const aborted = (abort: AbortController) => {
  abort.abort(new Error('enough'));
  throw abort.signal.reason;
};

describe('a start with a file that goes by a link, asked for again under its key,', () => {
  test.each<[string, (abort: AbortController) => Response]>([
    ['was aborted', aborted],
    ['was answered with a page', page],
    ['was redirected', elsewhere],
    ['was refused for its credits', noCredits],
  ])('is the same run where the service had accepted it and it %s', async (why, lose) => {
    const abort = new AbortController();
    const statuses: number[] = [];
    const caller = callerOf(({ status }) => {
      statuses.push(status);
      return lose(abort);
    });
    const options = { file: twice(), idempotencyKey: encodeURI(why) };
    await expect(caller.start({ ...options, signal: abort.signal })).rejects.toThrow();
    expect(statuses).toEqual([202]);
    const [again, once] = [await caller.start(options), await caller.start(options)];
    expect(again.agentId).toBe(once.agentId);
    expect(caller.uploads()).toBe(1);
  });

  test('sends the file anew where the request was refused as wrong', async () => {
    const caller = callerOf(() => Response.json({ error: 'The upload is gone.' }, { status: 400 }));
    const options = { file: twice(), idempotencyKey: 'refused' };
    await expect(caller.start(options)).rejects.toThrow('The upload is gone.');
    await caller.start(options).catch(() => undefined);
    expect(caller.uploads()).toBe(2);
  });
});

describe('two starts at once with one file and one key', () => {
  test('are one run, whose file is sent once', async () => {
    const caller = callerOf();
    const options = { file: twice(), idempotencyKey: 'at-once' };
    const [first, second] = await Promise.all([caller.start(options), caller.start(options)]);
    expect([second.agentId, caller.uploads()]).toEqual([first.agentId, 1]);
  });

  test.each([
    { who: 'first', index: 0, uploads: 2 },
    { who: 'second', index: 1, uploads: 1 },
  ])('end independently: the abort of the $who does not stop the other', async ({ who, index, uploads }) => {
    const caller = callerOf();
    const abort = new AbortController();
    const options = { file: twice(), idempotencyKey: `without-the-${who}` };
    const starts = [0, 1].map((each) =>
      caller.start(each === index ? { ...options, signal: abort.signal } : options),
    );
    abort.abort(new Error('enough'));
    const ended = await Promise.allSettled(starts);
    expect(ended[index]).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    expect(ended[1 - index]).toMatchObject({ status: 'fulfilled' });
    expect(caller.uploads()).toBe(uploads);
  });
});

test('starts of two accounts with one file and one key are two runs', async () => {
  const { key } = await service.newAccount('10');
  const options = { file: twice(), idempotencyKey: 'of-two-accounts' };
  const other = createErrand({ ...service, apiKey: key });
  const own = await callerOf().start(options);
  const others = await other.runs.start({ question: 'Twice?' }, options);
  expect(own.agentId).not.toBe(others.agentId);
});
