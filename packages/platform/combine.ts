/** One of the calls that a combiner does together. */
export type Combiner<Input, Output> = (key: string, input: Input) => Promise<Output>;

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Calls with the same key never run side by side: those that come in the same turn of the event loop, or while one is
 * under way, are done together in the next one, at most `largest` at a time. None is joined to work that had begun
 * before it came, so what it reads is never older than the call. `run` answers in the order of its inputs; if it
 * throws, all of them fail.
 */
export function createCombiner<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  largest: number,
): Combiner<Input, Output> {
  const queues = new Map<string, Waiting<Input, Output>[]>();

  const work = async (key: string, queue: Waiting<Input, Output>[]) => {
    while (queue.length > 0) {
      await turn();
      const group = queue.splice(0, largest);
      try {
        const outputs = await run(group.map(({ input }) => input));
        for (const [index, { resolve }] of group.entries()) resolve(outputs[index] as Output);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(key);
  };

  return (key, input) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      const waiting = { input, resolve, reject };
      if (queue) return void queue.push(waiting);
      const started = [waiting];
      queues.set(key, started);
      void work(key, started);
    });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
