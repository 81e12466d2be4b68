/** A call whose work the combiner does together with the work of other calls of the same key. */
type Combiner<Input, Output> = (key: string, input: Input) => Promise<Output>;

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Does calls of the same key in groups of at most `largest`, one group after the other: calls of the same turn of the
 * event loop, or calls that came while a group was under way. A call never joins a group that has begun, so what it
 * reads is never older than the call. `run` answers in the order of its inputs; if it throws, the whole group fails.
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
