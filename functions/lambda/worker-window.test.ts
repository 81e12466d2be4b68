import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withinInvocation } from './worker-window.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const invocation = (milliseconds: number) => {
  const deadline = Date.now() + milliseconds;
  return { awsRequestId: 'one', getRemainingTimeInMillis: () => deadline - Date.now() };
};

test('work is told to stop, and then abandoned, while there is time left to hand it over', async () => {
  const lived: [number, boolean, boolean][] = [];
  const context = invocation(900_000);
  await withinInvocation(context, async ({ stopping, abandon }) => {
    const look = () => lived.push([context.getRemainingTimeInMillis(), stopping(), abandon.aborted]);
    look();
    await vi.advanceTimersByTimeAsync(900_000 - limits.invocationHandOverMilliseconds);
    look();
    await vi.advanceTimersByTimeAsync(1);
    look();
    await vi.advanceTimersByTimeAsync(
      limits.invocationHandOverMilliseconds - limits.invocationAbandonMilliseconds - 1,
    );
    look();
  });
  expect(lived).toEqual([
    [900_000, false, false],
    [120_000, false, false],
    [119_999, true, false],
    [20_000, true, true],
  ]);
});

test('an invocation that is over leaves no timer behind', async () => {
  expect(await withinInvocation(invocation(900_000), async () => 'done')).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});
