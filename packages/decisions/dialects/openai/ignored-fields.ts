import { described, textField } from '@errand/platform';
import * as v from 'valibot';

/* Fields of OpenAI's requests that are accepted and ignored, so that its types fit the OpenAPI document. */

const ignored = <S extends v.GenericSchema>(schema: S) =>
  v.optional(described('Ignored.', v.nullable(schema)));

export const ignoredOfRequests = {
  prompt_cache_key: ignored(v.string()),
  prompt_cache_options: ignored(
    v.object({
      mode: ignored(v.picklist(['implicit', 'explicit'])),
      ttl: v.optional(textField('Ignored.')),
    }),
  ),
  safety_identifier: ignored(v.string()),
};

/** Of texts and images of the input. */
export const promptCacheBreakpoint = {
  prompt_cache_breakpoint: ignored(v.object({ mode: described('Ignored.', v.literal('explicit')) })),
};

/** Of an assistant's messages. */
export const ignoredOfAnswers = { phase: ignored(v.picklist(['commentary', 'final_answer'])) };

/** Of outputs of tools. */
export const ignoredOfOutputs = {
  id: ignored(v.string()),
  status: ignored(v.picklist(['in_progress', 'completed', 'incomplete'])),
};

/** Of calls of tools. */
export const ignoredOfCalls = { ...ignoredOfOutputs, namespace: ignored(v.string()) };
