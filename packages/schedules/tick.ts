import { describeError, inParallel, limits } from '@errand/platform';
import type { TickDeps } from './deps.ts';
import { type LookedAfter, lookAfter } from './look-after.ts';
import { queryDue } from './store.ts';

export interface TickOptions {
  signal?: AbortSignal;
  /** Says nothing where nothing is due. */
  isQuiet?: boolean;
}

/** Looks after every schedule that is due, for as long as a tick may take: the next one goes on. Throws if nothing can be read. */
export async function tick(deps: TickDeps, { signal, isQuiet }: TickOptions = {}): Promise<void> {
  const began = deps.clock();
  const isOver = () => signal?.aborted || deps.clock() - began >= limits.scheduleTickMilliseconds;
  const seen: LookedAfter[] = [];
  const shards = Array.from({ length: limits.scheduleShards }, (_, shard) => shard);
  const failures: unknown[] = [];
  const workOn = async (shard: number) => {
    try {
      for await (const page of queryDue(deps, shard)) {
        if (isOver()) return;
        await inParallel(page, limits.schedulesAtOnce, async (due) => {
          const looked = isOver() ? undefined : await lookAfter(deps, due);
          if (looked) seen.push(looked);
        });
      }
    } catch (error) {
      failures.push(error);
      deps.log.error('due schedules not read', { shard, ...describeError(error) });
    }
  };
  await Promise.all(shards.map(workOn));
  // Without the line the alarm knows that nobody has looked after all.
  if (failures.length > 0) throw failures[0];
  const latest = Math.max(0, ...seen.map(({ lateMilliseconds = 0 }) => lateMilliseconds));
  if (seen.length > 0 || !isQuiet)
    deps.log.info('schedules looked after', {
      schedules: seen.length,
      schedulesFailed: seen.filter(({ failed }) => failed).length,
      lateSeconds: Math.floor(latest / 1000),
    });
}
