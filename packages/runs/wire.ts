import { efforts } from '@errand/agents';
import {
  countField,
  cursorField,
  described,
  flagField,
  limits,
  named,
  textField,
  timeField,
} from '@errand/platform';
import * as v from 'valibot';
import { askedCallsSchema, eventSchema, expectedSchema } from './event-schema.ts';
import { runStatuses, stopReasons } from './lifecycle.ts';

/* What callers are answered, for the OpenAPI document. */

const agentId = textField("The run's id.");
const status = 'A run that is `queued` or `running` goes on; the other states are final.';

export const acceptedSchema = v.object({
  agentId,
  status: described('The run waits for a worker.', v.literal('queued')),
});

const citedClaim = {
  number: v.optional(countField('The number by which `result` names the source.')),
  startIndex: countField('Where the claim begins in `result`, in UTF-16 units from 0.'),
  endIndex: countField('Where it ends in `result`, in UTF-16 units; exclusive.'),
  passage: v.optional(
    v.pipe(v.string(), v.description('The text of the source that is nearest to the claim.')),
  ),
  quote: v.optional(textField('The words of `passage` that are nearest to the claim, as they stand there.')),
  place: v.optional(
    textField('Where the passage is in its original: `page 12`, `sheet Costs`, `slide 3`, `00:12:33`.'),
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
        filename: textField('The name of the file that was sent with the question.'),
        title: v.optional(v.string()),
        ...citedClaim,
      }),
    ),
  ]),
);

export const waitSchema = named(
  'RunWait',
  v.object({
    for: described(
      '`model_provider`: the provider fails, or is at capacity, and nothing is charged meanwhile. `queue`: a worker with a free place, or the end of other runs of the account. `worker`: another worker takes the run over, because its own fell silent. `sub_runs`: the runs that work on its questions, at no cost of its own.',
      v.picklist(['model_provider', 'queue', 'worker', 'sub_runs']),
    ),
    since: timeField('Since when the run waits.'),
    until: v.optional(
      timeField('When the wait is over at the latest. Absent if nobody knows, and if that time has passed.'),
    ),
    retryAt: v.optional(
      timeField('When the provider is asked again. A time that has passed: it is being asked.'),
    ),
  }),
);

export type RunWait = v.InferOutput<typeof waitSchema>;

export const askedSchema = named(
  'RunAsked',
  described(
    'What a run that is `awaiting_input` asks of its caller. A run with its id as `previousRunId` brings it.',
    v.object({ expected: expectedSchema, calls: v.optional(askedCallsSchema) }),
  ),
);

const basisField = v.object({
  pointer: textField('A JSON Pointer into `output`.'),
  citations: described('Those of `citations` that are about it.', v.array(citationSchema)),
  support: citedClaim.support,
});

export const runSchema = v.object({
  agentId,
  status: described(status, v.picklist(runStatuses)),
  waiting: v.optional(described('What the run waits for; absent if it does not wait.', waitSchema)),
  stopReason: v.optional(
    v.pipe(
      v.picklist(stopReasons),
      v.description(
        'Why the run answered before its model was ready to; `schema`: it failed, because nothing that its model wrote fitted `outputSchema`.',
      ),
    ),
  ),
  result: v.optional(v.pipe(v.string(), v.description('The answer, or what is missing.'))),
  error: v.optional(v.pipe(v.string(), v.description('Why the run failed.'))),
  asked: v.optional(askedSchema),
  createdAt: timeField('When the run was created.'),
  updatedAt: timeField('When it last changed.'),
  expiresAt: timeField('Until when the run can be read.'),
  previousRunId: v.optional(textField('The run that it goes on from.')),
  thread: v.optional(textField('The first run of its chain. `thread` of the list takes it.')),
  parentRunId: v.optional(textField('The run whose sub-run it is.')),
  question: v.optional(
    v.pipe(
      v.string(),
      v.description('The beginning of what was asked; in a list its first line.'),
      v.metadata({ maxLength: limits.shownQuestionCharacters }),
    ),
  ),
  metadata: v.optional(
    described('What came as `metadata` with the question.', v.record(v.string(), v.string())),
  ),
  effort: v.optional(described('What came as `effort` with the question.', v.picklist(efforts))),
  model: v.optional(v.pipe(v.string(), v.description('The model that worked on the question.'))),
  citations: v.optional(
    described('The sources of claims in `result`, in their order.', v.array(citationSchema)),
  ),
  uncitedSentences: v.optional(
    countField('Statements of `result` that have figures or names and cite nothing, in a run with sources.'),
  ),
  basis: v.optional(
    described(
      'The facts of `output`: its texts, numbers and flags that the schema does not decide alone. Not in lists.',
      v.array(named('BasisField', basisField)),
    ),
  ),
  unsupported: v.optional(
    described(
      'The pointers of facts whose support is under the threshold. They are null in `output` where the schema allows it.',
      v.array(v.string()),
    ),
  ),
  usage: named(
    'RunUsage',
    described(
      'What the run used so far.',
      v.object({
        inputTokens: countField('Tokens that its models read.'),
        cachedInputTokens: v.optional(
          countField("The part of `inputTokens` from the providers' prompt caches."),
        ),
        outputTokens: countField('Tokens that its models wrote.'),
        reasoningTokens: v.optional(countField('The part of `outputTokens` that was hidden reasoning.')),
        audioSeconds: described(
          'Seconds of recordings that were transcribed.',
          v.pipe(v.number(), v.minValue(0)),
        ),
        completions: v.optional(countField('Completions of the model that worked on the question.')),
        credits: textField('What was charged: EUR, as a decimal.'),
      }),
    ),
  ),
  output: v.optional(
    described('The value that fits `outputSchema`: `result` is its text. Not in lists.', v.looseObject({})),
  ),
});

export type RunView = v.InferOutput<typeof runSchema>;

export const runListSchema = v.object({
  runs: described('Newest first.', v.array(named('Run', runSchema))),
  cursor: v.optional(cursorField()),
});

export const eventPageSchema = v.object({
  events: described(
    'Oldest first.',
    v.array(
      named(
        'StoredRunEvent',
        v.object({
          id: described(
            'Its number in the run, from 1. `after` and `Last-Event-ID` take it.',
            v.pipe(v.number(), v.integer(), v.minValue(1)),
          ),
          at: timeField('When it was stored.'),
          event: eventSchema,
        }),
      ),
    ),
  ),
  more: flagField('Whether more events follow.'),
});
