import type { LambdaFunction } from './start-function.ts';

export type Environment = Pick<LambdaFunction, 'pid' | 'invoke' | 'ended' | 'stop'>;

interface Environments {
  /** One that is free, thawed, or a new one. */
  take(): Promise<Environment>;
  /** Freezes it until it is taken again. One that has ended is forgotten. */
  giveBack(environment: Environment): void;
  living(): Environment[];
}

/** The runtime client of the tests ends a process after a minute without work, and would do so as soon as it is thawed. */
const keptMilliseconds = 30_000;

/** The environments of a function. As on Lambda each has one invocation at a time, and does nothing between two. */
export function createEnvironments(start: () => Promise<Environment>): Environments {
  const living = new Set<Environment>();
  const frozen: { environment: Environment; since: number }[] = [];
  return {
    living: () => [...living],
    async take() {
      for (let last = frozen.pop(); last; last = frozen.pop())
        if (living.has(last.environment) && performance.now() - last.since < keptMilliseconds) {
          process.kill(last.environment.pid, 'SIGCONT');
          return last.environment;
        }
      const started = await start();
      living.add(started);
      void started.ended.then(() => living.delete(started));
      return started;
    },
    giveBack(environment) {
      if (!living.has(environment)) return;
      process.kill(environment.pid, 'SIGSTOP');
      frozen.push({ environment, since: performance.now() });
    },
  };
}
