import { limits } from '@errand/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Claim, Situation } from '../lease.ts';
import type { RunRecord } from '../run.ts';
import { createRunLock, type HeldLock } from './run-lock.ts';

/** A lock whose notes and claims are told in one list, in their order. */
function newLock(noteShared?: () => Promise<void>) {
  const told: string[] = [];
  const lock = createRunLock(async (agentId) => {
    await noteShared?.();
    told.push(`${agentId} is alone no more`);
  });
  const acquire = async (
    agentId: string,
    { isSuspect = false, claim = claimed(agentId) } = {},
  ): Promise<HeldLock> => {
    const held = await lock.acquire(isSuspect ? 'exclusive' : 'shared', async ({ alone }: Situation) => {
      told.push(`${agentId} claims${alone ? ' alone' : ''}`);
      return claim;
    });
    if (held.claim.kind === 'claimed') await held.noteShared();
    return held;
  };
  return { told, acquire, isShut: lock.isShut };
}

const claimed = (agentId: string): Promise<Claim> =>
  Promise.resolve({ kind: 'claimed', run: { agentId } as RunRecord, token: agentId, abandoned: false });

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a run that was claimed alone is recorded as no longer alone, once, before the next run is worked on', async () => {
  const { told, acquire } = newLock();
  await acquire('a');
  await Promise.all([acquire('b'), acquire('c')]);
  expect(told).toEqual(['a claims alone', 'b claims', 'c claims', 'a is alone no more']);
});

test('a run is still alone if its message came twice', async () => {
  const { told, acquire } = newLock();
  await acquire('a');
  await acquire('a', { claim: Promise.resolve({ kind: 'over' }) });
  expect(told).not.toContain('a is alone no more');
});

test('a run whose claim is unanswered is recorded as no longer alone before the next run is worked on', async () => {
  const { told, acquire } = newLock();
  const answer = Promise.withResolvers<Claim>();
  const first = acquire('a', { claim: answer.promise });
  await settle();
  const second = acquire('b');
  await settle();
  expect(told).toEqual(['a claims alone', 'b claims']);
  answer.resolve(await claimed('a'));
  await Promise.all([first, second]);
  expect(told).toEqual(['a claims alone', 'b claims', 'a is alone no more']);
});

test('a run is not worked on beside a run whose record could not be written; the next run tries again', async () => {
  let failures = 1;
  const { told, acquire } = newLock(async () => {
    if (failures-- > 0) throw new Error('scripted');
  });
  await acquire('a');
  await expect(acquire('b')).rejects.toThrow('scripted');
  await acquire('c');
  expect(told).toEqual(['a claims alone', 'b claims', 'c claims', 'a is alone no more']);
});

test('a suspect waits until every other run has released after a commit, and is alone until its own', async () => {
  const { told, acquire } = newLock();
  const [a, b] = [await acquire('a'), await acquire('b')];
  expect(a.afterCommit()).toBe(false);
  const entering = acquire('s', { isSuspect: true });
  const late = acquire('c');
  expect([a.afterCommit(), b.afterCommit()]).toEqual([true, true]);
  a.release();
  await settle();
  expect(told).not.toContain('s claims alone');
  b.release();
  const suspect = await entering;
  await settle();
  expect(told.at(-1)).toBe('s claims alone');
  expect(suspect.afterCommit()).toBe(false);
  await late;
  expect(told.slice(-2)).toEqual(['c claims', 's is alone no more']);
});

test('suspects get their turns in the order of arrival, and other runs get theirs after the first suspect', async () => {
  const { told, acquire } = newLock();
  const first = await acquire('a');
  const turns = [
    acquire('s', { isSuspect: true }),
    acquire('b'),
    acquire('t', { isSuspect: true }),
    acquire('c'),
  ].map(async (entering) => {
    const held = await entering;
    held.afterCommit();
    held.release();
  });
  first.release();
  await Promise.all(turns);
  const claims = told.filter((line) => line.includes('claims')).map((line) => line[0]);
  expect(claims).toEqual(['a', 's', 'b', 'c', 't']);
});

test('other runs have 30 s after a suspect’s turn in which no suspect stops them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { told, acquire } = newLock();
  const suspect = await acquire('s', { isSuspect: true });
  const ordinary = acquire('a');
  const next = acquire('t', { isSuspect: true });
  expect(suspect.afterCommit()).toBe(true);
  suspect.release();
  const a = await ordinary;
  expect(a.afterCommit()).toBe(false);
  const b = await acquire('b');
  vi.advanceTimersByTime(29_999);
  expect([a.afterCommit(), b.afterCommit()]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([a.afterCommit(), b.afterCommit()]).toEqual([true, true]);
  a.release();
  b.release();
  await next;
  expect(told.at(-1)).toBe('t claims alone');
});

test('a suspect does not wait for another suspect’s rest if no other run is being worked on', async () => {
  const { acquire } = newLock();
  const first = await acquire('s', { isSuspect: true });
  const next = acquire('t', { isSuspect: true });
  expect(first.afterCommit()).toBe(true);
  first.release();
  await expect(next).resolves.toBeDefined();
});

test('the lock is shut while a suspect waits for its turn or has it, and open in the rest that follows', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { acquire, isShut } = newLock();
  const first = await acquire('a');
  expect(isShut()).toBe(false);
  const waiting = acquire('s', { isSuspect: true });
  expect(isShut()).toBe(true);
  first.release();
  const suspect = await waiting;
  expect(isShut()).toBe(true);
  const next = acquire('t', { isSuspect: true });
  suspect.afterCommit();
  expect(isShut()).toBe(false);
  vi.advanceTimersByTime(limits.suspectRestMilliseconds);
  expect(isShut()).toBe(true);
  suspect.release();
  (await next).release();
});

test('a claim that fails releases the lock', async () => {
  const { acquire } = newLock();
  await expect(acquire('a', { claim: Promise.reject(new Error('scripted')) })).rejects.toThrow('scripted');
  await expect(acquire('s', { isSuspect: true })).resolves.toBeDefined();
});
