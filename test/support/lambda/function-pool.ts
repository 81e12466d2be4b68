import type { LambdaFunction } from './start-function.ts';

type Invocable = Pick<LambdaFunction, 'invoke'>;

/** Processes of one function. Each works on one invocation at a time, as Lambda's do; further ones wait for their turn. */
export interface FunctionPool {
  /** Resolves with a process that is free, for one invocation. */
  take(): Promise<Invocable>;
}

export function createPool(processes: readonly Invocable[]): FunctionPool {
  const free = [...processes];
  const waiting: ((process: Invocable) => void)[] = [];
  const giveBack = (process: Invocable) => {
    const next = waiting.shift();
    if (next) next(process);
    else free.push(process);
  };
  return {
    async take() {
      const process = free.pop() ?? (await new Promise<Invocable>((resolve) => waiting.push(resolve)));
      return {
        invoke(event, options) {
          const invocation = process.invoke(event, options);
          void invocation.failure.then(() => giveBack(process));
          return invocation;
        },
      };
    },
  };
}
