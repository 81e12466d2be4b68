import type { RunRecord } from '@errand/runs/testing';
import { claimRun, commitProgress } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { vi } from 'vitest';
import type { Desk } from '../../faults/support/desk.ts';

interface Call {
  name: string;
  input: object;
}

export interface HookedStore {
  /** The names of the requests to tables since it was emptied. */
  sent: string[];
  /** Replaces the answers of some requests. */
  answer: ((call: Call, next: () => Promise<unknown>) => Promise<unknown>) | undefined;
  /** How many requests are under way. */
  open: number;
}

/** Notes the requests of one process to its tables. */
export function hookStore({ parts }: Desk): HookedStore {
  const hooked: HookedStore = { sent: [], answer: undefined, open: 0 };
  const { middlewareStack } = parts.aws.dynamodb as unknown as {
    middlewareStack: { add(middleware: unknown, options: object): void };
  };
  middlewareStack.add(
    (next: (args: unknown) => Promise<unknown>, context: { commandName: string }) =>
      async (args: { input: object }) => {
        const name = context.commandName.replace(/(Item)?Command$/, '');
        hooked.sent.push(name);
        hooked.open++;
        try {
          const go = () => next(args);
          return await (hooked.answer?.({ name, input: args.input }, go) ?? go());
        } finally {
          hooked.open--;
        }
      },
    { step: 'initialize', name: 'hooked', priority: 'high' },
  );
  return hooked;
}

/** A run that a worker of another process has claimed. */
export async function claimedRun(desk: Desk, worker: Desk) {
  const agentId = await desk.start({ question: 'When?' });
  const deps = { ...runsDeps(worker.parts), leaseMilliseconds: 3_600_000 };
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const run: RunRecord = claim.run;
  return {
    agentId,
    async commit(count = 1, text = '') {
      for (let left = count; left > 0; left -= 10) {
        const events = Array.from({ length: Math.min(left, 10) }, () => ({ type: 'text' as const, text }));
        run.lastEventId = (await commitProgress(deps, run, claim, { events, costs: [] })).lastEventId;
      }
    },
    async finish() {
      const events = [{ type: 'done' as const, finalText: 'At noon.' }];
      run.lastEventId = (await commitProgress(deps, run, claim, { events, costs: [] })).lastEventId;
    },
  };
}

/** From here on timers end only when the test lets time pass. No stream may be open yet. */
export const holdTime = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });

const stepMilliseconds = 50;

/** Lets the time pass, and what is to happen in it. */
export async function pass(store: HookedStore, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += stepMilliseconds) {
    await vi.advanceTimersByTimeAsync(stepMilliseconds);
    do for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    while (store.open > 0);
  }
}

/** Lets time pass until it is done. Returns how much. */
export async function passUntil(store: HookedStore, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let passed = 0;
  for (; !isDone && passed < 60_000; passed += stepMilliseconds) await pass(store, stepMilliseconds);
  if (!isDone) throw new Error('it did not happen in a minute');
  await done;
  return passed;
}
