import { expect, test } from 'vitest';
import type { Claim, Situation } from '../lease.ts';
import type { RunRecord } from '../run.ts';
import { createCompany, type Place } from './company.ts';

/** A company whose notes and claims are told in one list, in their order. */
function openCompany(noteCompany?: () => Promise<void>) {
  const told: string[] = [];
  const company = createCompany(async (agentId) => {
    await noteCompany?.();
    told.push(`${agentId} is in company`);
  });
  const enter = async (
    agentId: string,
    { isSuspect = false, claim = claimed(agentId) } = {},
  ): Promise<Place> => {
    const place = await company.enter(isSuspect, async ({ alone }: Situation) => {
      told.push(`${agentId} claims${alone ? ' alone' : ''}`);
      return claim;
    });
    if (place.claim.kind === 'claimed') await place.noteCompany();
    return place;
  };
  return { told, enter };
}

const claimed = (agentId: string): Promise<Claim> =>
  Promise.resolve({ kind: 'claimed', run: { agentId } as RunRecord, token: agentId });

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a run that was claimed alone is noted as in company before the next one is worked on, and once', async () => {
  const { told, enter } = openCompany();
  await enter('a');
  await Promise.all([enter('b'), enter('c')]);
  expect(told).toEqual(['a claims alone', 'b claims', 'c claims', 'a is in company']);
});

test('a run is not in company because its message came twice', async () => {
  const { told, enter } = openCompany();
  await enter('a');
  await enter('a', { claim: Promise.resolve({ kind: 'over' }) });
  expect(told).not.toContain('a is in company');
});

test('so is one whose claim is not yet answered when the next one comes', async () => {
  const { told, enter } = openCompany();
  const answer = Promise.withResolvers<Claim>();
  const first = enter('a', { claim: answer.promise });
  await settle();
  const second = enter('b');
  await settle();
  expect(told).toEqual(['a claims alone', 'b claims']);
  answer.resolve(await claimed('a'));
  await Promise.all([first, second]);
  expect(told).toEqual(['a claims alone', 'b claims', 'a is in company']);
});

test('a run is not worked on beside one that could not be noted; the next one tries again', async () => {
  let failures = 1;
  const { told, enter } = openCompany(async () => {
    if (failures-- > 0) throw new Error('scripted');
  });
  await enter('a');
  await expect(enter('b')).rejects.toThrow('scripted');
  await enter('c');
  expect(told).toEqual(['a claims alone', 'b claims', 'c claims', 'a is in company']);
});

test('a suspect waits until the others have left, which each is told after its commit, and is alone until its own', async () => {
  const { told, enter } = openCompany();
  const [a, b] = [await enter('a'), await enter('b')];
  expect(a.afterCommit()).toBe(false);
  const entering = enter('s', { isSuspect: true });
  const late = enter('c');
  expect([a.afterCommit(), b.afterCommit()]).toEqual([true, true]);
  a.leave();
  await settle();
  expect(told).not.toContain('s claims alone');
  b.leave();
  const suspect = await entering;
  await settle();
  expect(told.at(-1)).toBe('s claims alone');
  expect(suspect.afterCommit()).toBe(false);
  await late;
  expect(told.slice(-2)).toEqual(['c claims', 's is in company']);
});

test('suspects and others get their turns in the order in which they came', async () => {
  const { told, enter } = openCompany();
  const first = await enter('a');
  const places = [
    enter('s', { isSuspect: true }),
    enter('b'),
    enter('t', { isSuspect: true }),
    enter('c'),
  ].map(async (entering) => {
    const place = await entering;
    place.afterCommit();
    place.leave();
  });
  first.leave();
  await Promise.all(places);
  const claims = told.filter((line) => line.includes('claims')).map((line) => line[0]);
  expect(claims).toEqual(['a', 's', 'b', 't', 'c']);
});

test('a claim that fails gives its place back', async () => {
  const { enter } = openCompany();
  await expect(enter('a', { claim: Promise.reject(new Error('scripted')) })).rejects.toThrow('scripted');
  await expect(enter('s', { isSuspect: true })).resolves.toBeDefined();
});
