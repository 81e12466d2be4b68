import { UpstreamError } from '@errand/models';
import { createLog, limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { type Forced, initialState, type Thinking } from './state.ts';
import { waitFor } from './wait.ts';

const looping: Thinking = { ...initialState, phase: 'think', part: 'loop', messages: [], rounds: 0 };
const checking: Thinking = { ...looping, part: 'check', answer: 'Noon.' };

const busy = new UpstreamError('busy', { status: 503 });

/** Waits until the run must go on without the provider. Returns its pauses. `drift` moves the clock besides. */
function pausesOf(
  { from = looping, failure = busy, patienceMilliseconds = 900_000, drift = 0, random = () => 0.5 } = {} as {
    from?: Thinking;
    failure?: UpstreamError;
    patienceMilliseconds?: number;
    drift?: number;
    random?: () => number;
  },
): number[] {
  let now = 1_000_000_000;
  let state: Forced | Thinking = from;
  const pauses: number[] = [];
  const deps = { clock: () => now, log: createLog(() => {}), patienceMilliseconds };
  for (;;) {
    const progress = waitFor(deps, state, failure, random);
    if (progress?.pauseMilliseconds === undefined) return pauses;
    pauses.push(progress.pauseMilliseconds);
    state = progress.state;
    now += progress.pauseMilliseconds + drift;
  }
}

const sum = (pauses: readonly number[]) => pauses.reduce((total, pause) => total + pause, 0);

describe('the pauses of a run whose provider fails', () => {
  test('grow to half a minute, and end when the run’s patience ends', () => {
    const pauses = pausesOf();
    expect(pauses.slice(0, 6)).toEqual([2_000, 4_000, 8_000, 15_000, 30_000, 30_000]);
    expect(sum(pauses)).toBe(900_000);
  });

  test('differ from run to run by a quarter', () => {
    expect(pausesOf({ random: () => 0 }).slice(0, 5)).toEqual([1_500, 3_000, 6_000, 11_250, 22_500]);
    expect(pausesOf({ random: () => 1 }).slice(0, 5)).toEqual([2_500, 5_000, 10_000, 18_750, 37_500]);
  });

  test('end after a minute in the final check, and after the patience if that is shorter', () => {
    expect(sum(pausesOf({ from: checking }))).toBe(60_000);
    expect(sum(pausesOf({ from: checking, patienceMilliseconds: 5_000 }))).toBe(5_000);
  });

  test('are as long as the provider asks for, but over before the message is sent again', () => {
    const asks = (retryAfterSeconds: number) => new UpstreamError('busy', { status: 429, retryAfterSeconds });
    expect(pausesOf({ failure: asks(9) })[0]).toBe(9_500);
    expect(pausesOf({ failure: asks(60) })[0]).toBeLessThan(limits.queuedResendSeconds * 1000);
    expect(pausesOf({ failure: asks(60) })[0]).toBe(50_000);
  });

  test('end in time, although the clock is set back again and again', () => {
    expect(sum(pausesOf({ drift: -3_600_000 }))).toBe(900_000);
  });

  test('include the time that the attempts took', () => {
    expect(pausesOf({ drift: 100_000 })).toHaveLength(8);
  });

  test('do not occur without patience', () => {
    expect(pausesOf({ patienceMilliseconds: 0 })).toEqual([]);
  });
});

test.each([
  ['that refuses the request', new UpstreamError('refused', { status: 400 })],
  ['that refuses our key', new UpstreamError('misconfigured', { status: 401 })],
  ['that took the request and never answered', new UpstreamError('timeout')],
])('a provider %s is not waited for', (_, failure) => {
  expect(pausesOf({ failure })).toEqual([]);
});

test.each([
  ['that cannot be connected to', new UpstreamError('broken')],
  ['that does not take connections', new UpstreamError('timeout', { unconnected: true })],
  ['whose answer cannot be read', new UpstreamError('unreadable')],
])('a provider %s is waited for', (_, failure) => {
  expect(pausesOf({ failure })).not.toEqual([]);
});

test('the log says once that a run waits', () => {
  const lines: string[] = [];
  const deps = {
    clock: () => 0,
    log: createLog((line) => void lines.push(line)),
    patienceMilliseconds: 900_000,
  };
  const first = waitFor(deps, looping, busy, () => 0.5);
  waitFor(deps, first?.state ?? looping, busy);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      message: 'run waits for the model provider',
      failure: 'busy',
      status: 503,
      pauseMilliseconds: 2_000,
    }),
  ]);
});

test('the log says which server a run waits for, and why', () => {
  const lines: string[] = [];
  const deps = {
    clock: () => 0,
    log: createLog((line) => void lines.push(line)),
    patienceMilliseconds: 900_000,
  };
  const place = { model: 'writer', address: 'models.example/v1' };
  const failures = [
    new UpstreamError('broken', { ...place, systemCode: 'ECONNREFUSED' }),
    new UpstreamError('busy', { ...place, status: 429, knownCode: 'insufficient_quota' }),
  ];
  for (const failure of failures) waitFor(deps, looping, failure);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ ...place, failure: 'broken', cause: 'ECONNREFUSED' }),
    expect.objectContaining({ ...place, failure: 'busy', status: 429, code: 'insufficient_quota' }),
  ]);
});
