import type { LambdaFunction } from './start-function.ts';

export type Environment = Pick<LambdaFunction, 'pid' | 'invoke' | 'ended' | 'stop'>;

interface Environments {
  /** One that is free, thawed, or a new one. */
  take(): Promise<Environment>;
  /** Freezes it until it is taken again. One that has ended is forgotten. */
  giveBack(environment: Environment): void;
  living(): Environment[];
}

/** The environments of a function. As on Lambda each has one invocation at a time, and does nothing between two. */
export function createEnvironments(start: () => Promise<Environment>): Environments {
  const living = new Set<Environment>();
  const frozen: Environment[] = [];
  return {
    living: () => [...living],
    async take() {
      for (let last = frozen.pop(); last; last = frozen.pop())
        if (living.has(last)) {
          process.kill(last.pid, 'SIGCONT');
          return last;
        }
      const started = await start();
      living.add(started);
      void started.ended.then(() => living.delete(started));
      return started;
    },
    giveBack(environment) {
      if (!living.has(environment)) return;
      process.kill(environment.pid, 'SIGSTOP');
      frozen.push(environment);
    },
  };
}
