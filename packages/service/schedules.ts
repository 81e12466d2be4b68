import { type TickOptions, tick } from '@errand/schedules';
import { createRunDeps, readNone } from './agents-app.ts';
import { decisionDeps } from './decisions-app.ts';
import { type ServiceDeps, whenCharged } from './deps.ts';
import { createInference } from './inference.ts';

/** Starts the runs of schedules that are due, and notes those that have ended. When it answers, nothing is left to be charged. */
export function scheduleTicker(deps: ServiceDeps): (options?: TickOptions) => Promise<void> {
  const ticking = {
    ...createRunDeps(deps, readNone),
    decisions: decisionDeps(deps, createInference(deps)),
  };
  return async (options) => {
    try {
      await tick(ticking, options);
    } finally {
      await whenCharged(deps);
    }
  };
}
