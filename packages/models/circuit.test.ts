import { createLog, type LogFields } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamScript,
  type Wire,
} from '../../test/support/scripted-upstream.ts';
import type { ModelUpstream } from './catalogue.ts';
import type { Upstreams } from './circuit.ts';
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

const ask = (signal?: AbortSignal): Promise<string> =>
  tryUpstreams(deps, model, async (upstream) => {
    const stop = signal && { signal };
    const response = await requestUpstream(upstream, { path: '/x', body: '{}', ...stop });
    const text = String(await readBytes(response, { limitBytes: 1_000, ...stop }));
    if (text.includes('<html>')) throw new UpstreamError('unreadable');
    return text;
  });

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

test('a single upstream is always asked', async () => {
  model = { ...model, fallbacks: [] };
  for (let i = 0; i < 5; i++) await expect(ask()).rejects.toMatchObject({ kind: 'busy' });
  expect(asked()).toEqual([5, 0]);
  expect(said('upstream left out')).toEqual([]);
});
