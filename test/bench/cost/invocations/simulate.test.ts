import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mixed, ofOneMinute, randomFrom, workerTimes } from './loads.ts';
import { type Plan, simulate } from './simulate.ts';

const plans: fc.Arbitrary<Plan> = fc.record({
  batch: fc.integer({ min: 1, max: 10 }),
  places: fc.integer({ min: 1, max: 12 }),
  invocations: fc.integer({ min: 1, max: 8 }),
  receives: fc.boolean(),
  handsOnLast: fc.boolean(),
});
const traffics = fc.record({
  seed: fc.nat(),
  runs: fc.integer({ min: 1, max: 300 }),
  runsPerSecond: fc.double({ min: 0.001, max: 20, noNaN: true }),
});

function outcomeOf(
  plan: Plan,
  { seed, runs, runsPerSecond }: { seed: number; runs: number; runsPerSecond: number },
) {
  const random = randomFrom(seed);
  const lengths = Array.from({ length: runs }, () => mixed(random()));
  const wanted = lengths.reduce((sum, each) => sum + each, 0);
  return {
    wanted,
    longest: Math.max(...lengths),
    ...simulate(plan, { lengths, runsPerSecond, random }, workerTimes),
  };
}

test('every run is worked on for exactly its length, however often it is handed on', () => {
  fc.assert(
    fc.property(plans, traffics, (plan, traffic) => {
      const { workedSeconds, wanted } = outcomeOf(plan, traffic);
      expect(workedSeconds).toBeCloseTo(wanted, 4);
    }),
  );
});

test('invocations are paid for the time of their runs at least, if each had all of its places', () => {
  fc.assert(
    fc.property(plans, traffics, (plan, traffic) => {
      const { billedSeconds, workedSeconds, seconds } = outcomeOf(plan, traffic);
      expect(billedSeconds * plan.places).toBeGreaterThan(workedSeconds - 1e-6);
      expect(billedSeconds).toBeLessThan(seconds * plan.invocations + 1e-6);
    }),
  );
});

test('the same seed has the same outcome', () => {
  const plan = { places: 10, batch: 7, invocations: 4, receives: true, handsOnLast: true };
  const traffic = { seed: 7, runs: 500, runsPerSecond: 0.5 };
  expect(outcomeOf(plan, traffic)).toEqual(outcomeOf(plan, traffic));
});

test('with one run at a time nothing waits but for the start of an environment', () => {
  const lengths = Array.from({ length: 200 }, () => 10);
  const plan = { places: 10, batch: 7, invocations: 2, receives: true, handsOnLast: true };
  // In the middle of its share, a run comes every 700 s: none meets another.
  const spaced = { lengths, runsPerSecond: 1 / 1_000, random: () => 0.5 };
  const { waitedSeconds, coldStarts, billedSeconds, receives } = simulate(plan, spaced, workerTimes);
  expect(waitedSeconds).toBeCloseTo(coldStarts, 6);
  const lastReceiveSeconds = 1;
  expect(billedSeconds).toBeCloseTo(2_000 + coldStarts + 200 * lastReceiveSeconds, 6);
  expect(receives).toBeCloseTo(billedSeconds / workerTimes.receiveSeconds, 6);
});

test('one run in each invocation is paid for its length and the start of its environment, and nothing else', () => {
  const random = randomFrom(3);
  const lengths = Array.from({ length: 500 }, () => ofOneMinute(random()));
  const plan = { places: 1, batch: 1, invocations: 100, receives: false, handsOnLast: false };
  const outcome = simulate(plan, { lengths, runsPerSecond: 0.5, random }, workerTimes);
  expect(outcome.billedSeconds).toBeCloseTo(500 * 60 + outcome.coldStarts, 4);
  expect(outcome).toMatchObject({ runs: 500, invocations: 500, handedOn: 0, receives: 0 });
});

test('a queue that is never empty keeps all places taken, until invocations take no more', () => {
  const lengths = Array.from({ length: 2_000 }, () => 60);
  const plan = { places: 10, batch: 7, invocations: 2, receives: true, handsOnLast: true };
  const { seconds } = simulate(
    plan,
    { lengths, runsPerSecond: Infinity, random: randomFrom(1) },
    workerTimes,
  );
  const allTakenSeconds = (2_000 * 60) / 20;
  expect(seconds).toBeGreaterThan(allTakenSeconds);
  expect(seconds).toBeLessThan(1.1 * allTakenSeconds);
});
