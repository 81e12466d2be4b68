import { expect, test } from 'vitest';
import { compare, noiseOf, type Round } from './noise.ts';

/** CPU of a plain completion in milliseconds, two services of one commit on each side, while the machine became twice as slow. */
const measured: Round[] = [
  { now: [2.17, 2.98], base: [2.17, 2.92] },
  { now: [2.46, 2.88], base: [2.54, 2.67] },
  { now: [2.35, 2.88], base: [2.41, 3.38] },
  { now: [3.81, 2.81], base: [3.74, 3.42] },
  { now: [3.65, 2.95], base: [3.99, 3.12] },
  { now: [3.97, 3.06], base: [2.89, 3.15] },
  { now: [3.87, 3.24], base: [2.8, 2.73] },
  { now: [4.53, 3.78], base: [3.48, 3.17] },
  { now: [4.97, 4.41], base: [3.7, 3.36] },
  { now: [3.98, 4.33], base: [3.54, 3.46] },
  { now: [4.46, 5.55], base: [4.14, 5.05] },
  { now: [3.58, 3.58], base: [4.03, 4.23] },
];

const costing = (times: number): Round[] =>
  measured.map(({ now: [first, second], base }) => ({ now: [first * times, second * times], base }));

test('the noise of one commit on both sides is more than its change', () => {
  const same = compare(measured);
  expect(same.change).toBeLessThan(noiseOf([same]));
});

test('a completion that costs a fifth more is dearer than the noise', () => {
  const dearer = compare(costing(1.2));
  expect(dearer.change - compare(measured).change).toBeCloseTo(Math.log(1.2));
  expect(dearer.change).toBeGreaterThan(noiseOf([dearer]));
});

test('a machine that becomes slower between rounds changes nothing', () => {
  const slower = measured.map(({ now, base }, i) => {
    const slowed = ([first, second]: Round['now']): Round['now'] => [first * (i + 1), second * (i + 1)];
    return { now: slowed(now), base: slowed(base) };
  });
  const [before, after] = [compare(measured), compare(slower)];
  expect(after.change).toBeCloseTo(before.change);
  expect(noiseOf([after])).toBeCloseTo(noiseOf([before]));
});

test('the noise of a kind is that of all its figures', () => {
  expect(noiseOf([{ same: [0.1, -0.1] }])).toBeCloseTo(0.4 / Math.SQRT2);
  expect(noiseOf([{ same: [0.1, -0.1] }, { same: [0, 0] }])).toBeCloseTo(0.2);
});
