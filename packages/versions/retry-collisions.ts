import { backOff, ConditionsFailed } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { KindKeys } from './kind.ts';

/** Every collision is the success of another writer, so 200 simultaneous writers of a thing all succeed. */
const maxAttempts = 200;

/** Repeats a read and the write made from it while other writers change the thing in between (`NOUN-unchanged`). */
export async function retryCollisions<T>(
  deps: StoreDeps,
  { noun }: KindKeys,
  readAndWrite: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      const collided = error instanceof ConditionsFailed && error.has(`${noun}-unchanged`);
      if (!collided || attempt === maxAttempts) throw error;
      await backOff(deps, attempt);
    }
  }
}
