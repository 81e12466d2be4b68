import { createLog, type LogFields, limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamScript,
  type Wire,
} from '../../test/support/scripted-upstream.ts';
import type { ModelUpstream } from './catalogue.ts';
import { orderUpstreams, type Upstreams } from './circuit.ts';
import { readBytes } from './read-bytes.ts';
import { tryUpstreams } from './retry.ts';
import { requestUpstream } from './upstream.ts';
import { addressOf } from './upstream-address.ts';
import { UpstreamError } from './upstream-error.ts';

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let model: Upstreams;
let now: number;
let lines: LogFields[];

beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
});
afterAll(() => Promise.all([first.close(), second.close()]));
beforeEach(() => {
  now = 0;
  lines = [];
  const at = ({ baseUrl }: ScriptedUpstream): ModelUpstream => ({ baseUrl, model: 'big-1' });
  model = { id: 'writer', upstream: at(first), fallbacks: [at(second)] };
  first.script(fails);
  second.script(answers('second'));
});

const answers =
  (word: string): UpstreamScript =>
  (wire) =>
    wire.json(200, word);
const fails: UpstreamScript = (wire) => wire.json(503, {});
const unreadable: UpstreamScript = (wire) => wire.json(200, '<html>');
const refusesKey: UpstreamScript = (wire) => wire.json(401, {});
const refuses: UpstreamScript = (wire) => wire.json(400, {});

const deps = {
  clock: () => now,
  log: createLog((line) => void lines.push(JSON.parse(line))),
};

const ask = (signal?: AbortSignal, onPart?: () => void): Promise<string> =>
  tryUpstreams(
    deps,
    model,
    async (upstream, { signal, heard }) => {
      const noted = () => {
        heard();
        onPart?.();
      };
      const response = await requestUpstream(upstream, { path: '/x', body: '{}', signal, heard: noted });
      const text = String(await readBytes(response, { limitBytes: 1_000, signal, heard: noted }));
      if (text.includes('<html>')) throw new UpstreamError('unreadable');
      return text;
    },
    signal,
  );

/** Sends a request to the first upstream, which holds it. `end` is our own deadline. */
async function hold(onPart?: () => void) {
  const arrived = Promise.withResolvers<Wire>();
  first.script((wire) => arrived.resolve(wire));
  const time = new AbortController();
  const answer = ask(time.signal, onPart);
  answer.catch(() => {});
  const wire = await arrived.promise;
  const end = async () => {
    time.abort(new Error('timed out'));
    await expect(answer).rejects.toThrow('timed out');
  };
  return { wire, answer, end };
}

/** How often each upstream was asked since this was last called. */
const asked = () => [first, second].map(({ requests }) => requests.splice(0).length);

const said = (message: string) => lines.filter((line) => line.message === message);

async function failThrice(): Promise<void> {
  for (let i = 0; i < 3; i++) expect(await ask()).toBe('second');
  expect(asked()).toEqual([3, 3]);
}

describe('an upstream that failed three times in a row', () => {
  beforeEach(failThrice);

  test('is left out for a while, which the log says once', async () => {
    now = 29_999;
    for (let i = 0; i < 5; i++) expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 5]);
    expect(said('upstream left out')).toEqual([
      expect.objectContaining({ model: 'writer', address: addressOf(first) }),
    ]);
  });

  test('is probed by one request after that, while all others still leave it out', async () => {
    now = 30_000;
    const arrived = Promise.withResolvers<Wire>();
    first.script((wire) => arrived.resolve(wire));
    const probe = ask();
    const wire = await arrived.promise;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['second', 'second', 'second']);
    now = 39_999;
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([1, 4]);
    first.script(answers('first'));
    await wire.json(200, 'first');
    expect(await probe).toBe('first');
    expect(await Promise.all([ask(), ask()])).toEqual(['first', 'first']);
    expect(said('upstream answers again')).toHaveLength(1);
  });

  test('is probed by another request if the probe takes too long', async () => {
    now = 30_000;
    const arrived = Promise.withResolvers<Wire>();
    first.script((wire) => arrived.resolve(wire), answers('first'));
    const probe = ask();
    const wire = await arrived.promise;
    now = 40_000;
    expect(await ask()).toBe('first');
    await wire.json(200, 'first');
    expect(await probe).toBe('first');
  });

  test.each([
    ['an answer that cannot be read', unreadable],
    ['a refusal of our key', (wire: Wire) => wire.json(401, {})],
  ])('is not back for %s', async (_, script) => {
    now = 30_000;
    first.script(script);
    await ask().catch(() => {});
    expect(asked()[0]).toBe(1);
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 1]);
  });

  test('is left out again if the probe fails', async () => {
    now = 30_000;
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([1, 1]);
    now = 59_999;
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 1]);
    now = 60_000;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    expect(said('upstream left out')).toHaveLength(1);
  });

  test('is probed by the next request if the caller of the probe leaves', async () => {
    now = 30_000;
    const arrived = Promise.withResolvers<void>();
    first.script(() => arrived.resolve(), answers('first'));
    const caller = new AbortController();
    const probe = ask(caller.signal);
    await arrived.promise;
    caller.abort(new Error('left'));
    await expect(probe).rejects.toThrow('left');
    expect(await ask()).toBe('first');
  });

  test('is not left out for longer if it fails when it was asked only because all others failed', async () => {
    now = 20_000;
    second.script(fails);
    await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
    now = 30_000;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
  });

  test('is left out only after three new failures once it has answered', async () => {
    now = 30_000;
    first.script(answers('first'), fails);
    expect(await ask()).toBe('first');
    asked();
    await failThrice();
    await ask();
    expect(asked()).toEqual([0, 1]);
  });

  test('is asked if all others fail, so that no request is refused without asking', async () => {
    second.script(fails);
    first.script(answers('first'));
    expect(await ask()).toBe('first');
  });

  test('is asked after a fallback that refuses our key, which the log says', async () => {
    second.script(refusesKey);
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    expect(asked()).toEqual([1, 1]);
    expect(said('upstream does not accept our set-up')).toEqual([
      expect.objectContaining({ address: addressOf(second), status: 401 }),
    ]);
  });

  test('is asked, and a later fallback is not, once a fallback has refused our key', async () => {
    const third = await startUpstream();
    third.script(answers('third'));
    model.fallbacks.push({ baseUrl: third.baseUrl, model: 'big-1' });
    second.script(refusesKey);
    await expect(ask()).rejects.toMatchObject({ kind: 'busy', address: addressOf(first) });
    expect([...asked(), third.requests.length]).toEqual([1, 1, 0]);
    await third.close();
  });

  test('does not hide that the first upstream refuses our key', async () => {
    now = 30_000;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    second.script(fails);
    first.script(fails, fails, refusesKey);
    for (let i = 0; i < 2; i++) await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
    asked();
    await expect(ask()).rejects.toMatchObject({ kind: 'misconfigured' });
    expect(asked()).toEqual([1, 0]);
  });

  test('is asked again when the clock was set back, as if its time were over', async () => {
    now = -2 * 60 * 60 * 1000;
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([1, 1]);
  });

  test('is asked in its order if all are left out', async () => {
    second.script(fails);
    for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
    asked();
    await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
    expect(asked()).toEqual([1, 1]);
    expect(said('upstream left out').map(({ address }) => address)).toEqual([first, second].map(addressOf));
  });
});

test.each([
  ['an answer', answers('first')],
  ['a refusal of the request', refuses],
])('%s in between begins the count again', async (_, script) => {
  first.script(fails, fails, script, fails, fails, answers('first'));
  for (let i = 0; i < 6; i++) await ask().catch(() => {});
  expect(asked()[0]).toBe(6);
});

test('callers who leave are no failures of an upstream', async () => {
  for (let i = 0; i < 5; i++) {
    const arrived = Promise.withResolvers<void>();
    first.script(() => arrived.resolve());
    const caller = new AbortController();
    const leaving = ask(caller.signal);
    await arrived.promise;
    caller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
  }
  first.script(answers('first'));
  expect(await ask()).toBe('first');
});

test('a timeout counts against the upstream that was asked, not against those behind it', async () => {
  for (let i = 0; i < 3; i++) {
    const arrived = Promise.withResolvers<void>();
    first.script(() => arrived.resolve());
    const time = new AbortController();
    const asking = ask(time.signal);
    await arrived.promise;
    time.abort(new UpstreamError('timeout'));
    await expect(asking).rejects.toMatchObject({ kind: 'timeout' });
  }
  expect(said('upstream left out').map(({ address }) => address)).toEqual([addressOf(first)]);
});

describe('an upstream that takes requests and says nothing', () => {
  const silent = limits.upstreamSilentMilliseconds;

  test('is left out once many requests at a time have waited for it for a minute, and none of them is ended', async () => {
    const held = [];
    for (let i = 0; i < 18; i++) held.push(await hold());
    now = silent - 1;
    first.script(answers('first'));
    now = silent;
    for (let i = 0; i < 5; i++) expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 5]);
    expect(said('upstream left out')).toEqual([
      expect.objectContaining({ model: 'writer', address: addressOf(first) }),
    ]);
    await held[0]?.wire.json(200, 'late');
    expect(await held[0]?.answer).toBe('late');
    expect(said('upstream answers again')).toHaveLength(1);
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    for (const { end } of held.slice(1)) await end();
  });

  test('is left out later by as much as answers may take longer', async () => {
    const slow = { ...deps, answerMilliseconds: limits.answerMilliseconds + 60_000 };
    const firstAsked = () => [...orderUpstreams(slow, model)][0]?.upstream.baseUrl;
    const { end } = await hold();
    now = silent + 59_999;
    expect(firstAsked()).toBe(first.baseUrl);
    now++;
    expect(firstAsked()).toBe(second.baseUrl);
    await end();
  });

  test('is left out once requests one after the other have waited for it for a minute together', async () => {
    for (const milliseconds of [55_000, 5_000]) {
      const { end } = await hold();
      now += milliseconds;
      await end();
    }
    asked();
    first.script(answers('first'));
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 1]);
  });

  test('is left out if it sends the head of an answer and nothing of its body', async () => {
    const { wire, end } = await hold();
    await wire.head();
    now = silent;
    expect(await ask()).toBe('second');
    await end();
  });

  test.each([
    ['an answer', (wire: Wire) => wire.json(200, 'soon')],
    ['a failure', (wire: Wire) => wire.json(503, {})],
  ])('is not left out while another request gets %s', async (_, script) => {
    const { end } = await hold();
    now = silent - 1;
    first.script(script);
    await ask();
    now += silent - 1;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    await end();
  });

  test('is not left out while a part of another answer comes now and then', async () => {
    const { end } = await hold();
    let part = Promise.withResolvers<void>();
    const { wire, answer } = await hold(() => part.resolve());
    await wire.head();
    for (let i = 0; i < 3; i++) {
      now += silent - 1;
      part = Promise.withResolvers();
      await wire.send('x');
      await part.promise;
    }
    now += silent - 1;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    wire.end();
    expect(await answer).toBe('xxx');
    await end();
  });

  test('is not left out for time in which no request waited', async () => {
    for (let i = 0; i < 2; i++) {
      const { end } = await hold();
      now += silent / 2 - 1;
      await end();
      now += 60 * 60 * 1000;
    }
    first.script(answers('first'));
    expect(await ask()).toBe('first');
  });

  test('is left out again after one request that probes it for 10 s in vain', async () => {
    const { end } = await hold();
    now = silent;
    expect(await ask()).toBe('second');
    now += limits.upstreamLeftOutMilliseconds;
    const probe = await hold();
    now += limits.upstreamProbeMilliseconds - 1;
    expect(await ask()).toBe('second');
    now++;
    expect(await ask()).toBe('second');
    await probe.end();
    asked();
    now += limits.upstreamLeftOutMilliseconds - 1;
    expect(await ask()).toBe('second');
    expect(asked()).toEqual([0, 1]);
    now++;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    await end();
  });

  test('is asked again after its time though an old request still waits for it', async () => {
    const { end } = await hold();
    now = silent;
    expect(await ask()).toBe('second');
    now += 10 * limits.upstreamLeftOutMilliseconds;
    first.script(answers('first'));
    expect(await ask()).toBe('first');
    await end();
  });
});

test('a single upstream is always asked', async () => {
  model = { ...model, fallbacks: [] };
  for (let i = 0; i < 5; i++) await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
  expect(asked()).toEqual([5, 0]);
  expect(said('upstream left out')).toEqual([]);
});
