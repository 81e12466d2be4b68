import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withinInvocation } from './worker-window.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const invocation = (milliseconds: number) => {
  const deadline = Date.now() + milliseconds;
  return { awsRequestId: 'one', getRemainingTimeInMillis: () => deadline - Date.now() };
};

test('work is told to take no more, to stop, and then abandoned, while there is time left to hand it over', async () => {
  const lived: [number, boolean, boolean, boolean][] = [];
  const context = invocation(900_000);
  await withinInvocation(context, async ({ takes, stopping, abandon }) => {
    const look = () => lived.push([context.getRemainingTimeInMillis(), takes(), stopping(), abandon.aborted]);
    look();
    await vi.advanceTimersByTimeAsync(899_999 - limits.invocationTakeMilliseconds);
    look();
    await vi.advanceTimersByTimeAsync(1);
    look();
    await vi.advanceTimersByTimeAsync(
      limits.invocationTakeMilliseconds - limits.invocationHandOverMilliseconds,
    );
    look();
    await vi.advanceTimersByTimeAsync(1);
    look();
    await vi.advanceTimersByTimeAsync(
      limits.invocationHandOverMilliseconds - limits.invocationAbandonMilliseconds - 1,
    );
    look();
  });
  expect(lived).toEqual([
    [900_000, true, false, false],
    [300_001, true, false, false],
    [300_000, false, false, false],
    [120_000, false, false, false],
    [119_999, false, true, false],
    [20_000, false, true, true],
  ]);
});

test('an invocation that is over leaves no timer behind', async () => {
  expect(await withinInvocation(invocation(900_000), async () => 'done')).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});
