import { ConditionsFailed } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { pauseForWriters } from './store.ts';

const attempts = 200;

/** Does it again, from reading on, while another writer of the same skill is faster. */
export async function whileColliding<T>(deps: StoreDeps, once: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once();
    } catch (error) {
      const collided = error instanceof ConditionsFailed && error.has('skill-unchanged');
      if (!collided || attempt === attempts) throw error;
      await pauseForWriters(deps, attempt);
    }
  }
}
