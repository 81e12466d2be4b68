import { named } from '@errand/platform';
import * as v from 'valibot';
import { eventSchema } from './event-schema.ts';
import { runStatuses } from './lifecycle.ts';
import { stopReasons } from './run.ts';

/* What callers are answered, for the OpenAPI document. */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(v.string(), v.isoTimestamp());

export const acceptedSchema = v.object({ agentId: v.string(), status: v.literal('queued') });

const citedClaim = {
  startIndex: v.pipe(count, v.description('Where the claim begins in `result`, in UTF-16 units.')),
  endIndex: v.pipe(count, v.description('Where it ends; exclusive.')),
  passage: v.optional(
    v.pipe(v.string(), v.description('The text of the source that is nearest to the claim.')),
  ),
  support: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description('The probability that the passages of the claim support it.'),
    ),
  ),
};

const citationSchema = named(
  'Citation',
  v.variant('type', [
    named(
      'UrlCitation',
      v.object({ type: v.literal('url_citation'), url: v.string(), title: v.string(), ...citedClaim }),
    ),
    named(
      'FileCitation',
      v.object({
        type: v.literal('file_citation'),
        filename: v.string(),
        title: v.optional(v.string()),
        ...citedClaim,
      }),
    ),
  ]),
);

export const runSchema = v.object({
  agentId: v.string(),
  status: v.picklist(runStatuses),
  stopReason: v.optional(
    v.pipe(v.picklist(stopReasons), v.description('Why the run answered before its model was ready to.')),
  ),
  result: v.optional(v.pipe(v.string(), v.description('The answer, or what is missing.'))),
  error: v.optional(v.pipe(v.string(), v.description('Why the run failed.'))),
  createdAt: time,
  updatedAt: time,
  expiresAt: v.pipe(time, v.description('Until when the run can be read.')),
  metadata: v.optional(v.record(v.string(), v.string())),
  model: v.optional(v.pipe(v.string(), v.description('The model that worked on the question.'))),
  citations: v.optional(v.array(citationSchema)),
  usage: named(
    'RunUsage',
    v.object({
      inputTokens: count,
      cachedInputTokens: v.optional(count),
      outputTokens: count,
      reasoningTokens: v.optional(count),
      audioSeconds: v.pipe(v.number(), v.minValue(0)),
      completions: v.optional(count),
      credits: v.pipe(v.string(), v.description('EUR, as a decimal.')),
    }),
  ),
});

export const runListSchema = v.object({
  runs: v.array(named('Run', runSchema)),
  cursor: v.optional(v.string()),
});

export const eventPageSchema = v.object({
  events: v.array(
    named(
      'StoredRunEvent',
      v.object({ id: v.pipe(v.number(), v.integer(), v.minValue(1)), at: time, event: eventSchema }),
    ),
  ),
  more: v.boolean(),
});
