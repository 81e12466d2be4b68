import { wholeNumber } from '@errand/platform';
import * as v from 'valibot';

/** How a response is asked for that was created earlier. */
export const responseQuery = v.object({
  stream: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  starting_after: v.optional(v.unwrap(wholeNumber(0, Number.MAX_SAFE_INTEGER, 0))),
});
