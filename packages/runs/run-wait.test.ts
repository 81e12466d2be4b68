import { limits, toIso } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { runStatuses } from './lifecycle.ts';
import { type WaitingRun, waitOf } from './run-wait.ts';

const now = Date.parse('2026-11-24T12:00:00.000Z');
const ago = (seconds: number) => now - seconds * 1000;
const ahead = (seconds: number) => now + seconds * 1000;
const leaseMilliseconds = 60_000;

/** A run that was created a minute ago, and whose message was sent 10 s ago. */
const runOf = (fields: Partial<WaitingRun>): WaitingRun => ({
  status: 'running',
  createdAt: toIso(ago(60)),
  sentAtMilliseconds: ago(10),
  ...fields,
});

/** A run whose worker has last renewed its lease so long ago. */
const heldOf = (renewedSeconds: number, fields: Partial<WaitingRun> = {}) =>
  runOf({
    leaseToken: 'token',
    leaseMilliseconds,
    leaseUntilMilliseconds: ago(renewedSeconds) + leaseMilliseconds,
    ...fields,
  });

const waitsForProvider = {
  waitsUntilMilliseconds: ahead(20),
  waitsSinceMilliseconds: ago(40),
  patienceEndsMilliseconds: ahead(860),
};

describe('a run that waits for its provider', () => {
  test('says since when, when the provider is asked again, and until when', () => {
    expect(waitOf(runOf(waitsForProvider), now)).toEqual({
      for: 'model_provider',
      since: toIso(ago(40)),
      until: toIso(ahead(860)),
      retryAt: toIso(ahead(20)),
    });
  });

  test('does so too while a worker asks the provider again', () => {
    const asking = heldOf(1, { ...waitsForProvider, waitsUntilMilliseconds: ago(1) });
    expect(waitOf(asking, now)).toMatchObject({ for: 'model_provider', retryAt: toIso(ago(1)) });
  });

  test('waits for another worker if the one that asks the provider again falls silent', () => {
    const silent = heldOf(50, { ...waitsForProvider, waitsUntilMilliseconds: ago(51) });
    expect(waitOf(silent, now)).toMatchObject({ for: 'worker', since: toIso(ago(50)) });
  });

  test('waits in the queue if no worker takes it after its pause', () => {
    const late = (seconds: number) => runOf({ ...waitsForProvider, waitsUntilMilliseconds: ago(seconds) });
    expect(waitOf(late(1), now)).toMatchObject({ for: 'model_provider' });
    expect(waitOf(late(5), now)).toEqual({ for: 'queue', since: toIso(ago(5)) });
  });

  test('and was paused by an earlier release has waited since its pause began, until it ends', () => {
    expect(waitOf(runOf({ waitsUntilMilliseconds: ahead(20) }), now)).toEqual({
      for: 'model_provider',
      since: toIso(ago(10)),
      until: toIso(ahead(20)),
      retryAt: toIso(ahead(20)),
    });
  });

  test('names no end that has passed', () => {
    const late = runOf({ ...waitsForProvider, patienceEndsMilliseconds: ago(1) });
    expect(waitOf(late, now)?.until).toBeUndefined();
  });
});

test('a run that no worker has taken waits in the queue since its creation, whenever its message was sent again', () => {
  expect(waitOf(runOf({ status: 'queued' }), now)).toEqual({ for: 'queue', since: toIso(ago(60)) });
});

test('a run that has been in the queue for a moment waits for nothing yet', () => {
  expect(waitOf(runOf({ status: 'queued', createdAt: toIso(ago(1)) }), now)).toBeUndefined();
  expect(waitOf(runOf({ sentAtMilliseconds: ago(1) }), now)).toBeUndefined();
});

test('a run that was given back waits in the queue since then', () => {
  expect(waitOf(runOf({}), now)).toEqual({ for: 'queue', since: toIso(ago(10)) });
});

describe('a run with a worker', () => {
  const renewalSeconds = leaseMilliseconds / 3_000;
  const slackSeconds = limits.clockSkewMilliseconds / 1000;

  test('waits for nothing while the worker renews its lease', () => {
    expect(waitOf(heldOf(0), now)).toBeUndefined();
    expect(waitOf(heldOf(renewalSeconds + slackSeconds), now)).toBeUndefined();
  });

  test('waits for another worker once its own has missed a renewal, until the lease ends', () => {
    const silentSeconds = renewalSeconds + slackSeconds + 1;
    expect(waitOf(heldOf(silentSeconds), now)).toEqual({
      for: 'worker',
      since: toIso(ago(silentSeconds)),
      until: toIso(ago(silentSeconds) + leaseMilliseconds),
    });
    expect(waitOf(heldOf(90), now)).toEqual({ for: 'worker', since: toIso(ago(90)), until: undefined });
  });

  test('does not wait by a lease that was taken before the clock was set back', () => {
    expect(waitOf(heldOf(-3600), now)).toBeUndefined();
  });
});

test.each(runStatuses.filter((status) => status !== 'queued' && status !== 'running'))(
  'a run that has %s waits for nothing, whatever it once waited for',
  (status) => {
    expect(waitOf(heldOf(90, { ...waitsForProvider, status }), now)).toBeUndefined();
  },
);
