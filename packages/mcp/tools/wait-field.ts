import { limits } from '@errand/platform';
import * as v from 'valibot';

/** How long a call waits for the end of a run. */
export const waitField = v.optional(
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(limits.mcpProgressSeconds, `must be at most ${limits.mcpProgressSeconds}`),
    v.description(
      `How many seconds to wait for the answer. Without it: ${limits.mcpProgressSeconds} for a client that shows progress, ${limits.mcpWaitSeconds} for any other.`,
    ),
  ),
);
