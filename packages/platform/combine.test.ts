import { expect, test } from 'vitest';
import { createCombiner } from './combine.ts';

/** A combiner whose work ends when the test says so. */
function held(largest = 10) {
  const runs: { inputs: readonly number[]; end: (error?: Error) => void }[] = [];
  const combine = createCombiner<number, number>(
    (inputs) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(inputs.map((input) => input * 10)));
        runs.push({ inputs, end });
      }),
    largest,
  );
  return { runs, combine };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls of one turn of the event loop are done together', async () => {
  const { runs, combine } = held();
  const calls = [combine('a', 1), combine('a', 2)];
  await turn();
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2]]);
  runs[0]?.end();
  expect(await Promise.all(calls)).toEqual([10, 20]);
});

test('calls that come while a call is running are done together afterwards', async () => {
  const { runs, combine } = held();
  const first = combine('a', 1);
  await turn();
  const others = [combine('a', 2), combine('a', 3)];
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
  runs[0]?.end();
  expect(await first).toBe(10);
  while (runs.length < 2) await turn();
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
  runs[1]?.end();
  expect(await Promise.all(others)).toEqual([20, 30]);
});

test('calls of other keys do not wait', async () => {
  const { runs, combine } = held();
  void combine('a', 1);
  void combine('b', 2);
  await turn();
  expect(runs).toHaveLength(2);
});

test('a group is no larger than it may be', async () => {
  const { runs, combine } = held(2);
  void combine('a', 1);
  for (const input of [2, 3, 4, 5]) void combine('a', input);
  for (let i = 0; i < 3; i++) {
    while (runs.length <= i) await turn();
    runs[i]?.end();
  }
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1, 2], [3, 4], [5]]);
});

test('a failure affects only its own group', async () => {
  const { runs, combine } = held();
  const calls = [combine('a', 1)];
  await turn();
  calls.push(combine('a', 2));
  const failed = expect(calls[0]).rejects.toThrow('no');
  runs[0]?.end(new Error('no'));
  await failed;
  while (runs.length < 2) await turn();
  runs[1]?.end();
  expect(await calls[1]).toBe(20);
  const again = combine('a', 3);
  await turn();
  runs[2]?.end();
  expect(await again).toBe(30);
});
