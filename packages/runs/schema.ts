import { type Guarded, listedTools } from '@errand/agent';
import { agentField, runFields, urlField } from '@errand/agents';
import {
  countField,
  described,
  flagField,
  hasAtMost,
  limits,
  metadataMap,
  nameOf,
  notList,
  pageLimit,
  queryText,
  textField,
  wholeNumber,
} from '@errand/platform';
import * as v from 'valibot';
import { callFields } from './calls-schema.ts';
import { listedStates } from './lifecycle.ts';

const questionSchema = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.check(
    (text) => hasAtMost(text, limits.questionCharacters),
    `must have at most ${limits.questionCharacters} characters`,
  ),
  v.description('What the run must do.'),
  v.metadata({ minLength: 1, maxLength: limits.questionCharacters }),
);

const documentUrlSchema = urlField(
  'A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it.',
);
const audioUrlSchema = urlField(
  'A recording of a meeting at a publicly reachable URL. It is transcribed first.',
);

/** Names that an object of JavaScript cannot hold as plain properties. */
const reserved = ['__proto__', 'constructor', 'prototype'];

const metadataSchema = v.pipe(
  notList,
  v.check(
    (input) => !(input instanceof Object && reserved.some((name) => Object.hasOwn(input, name))),
    `must not have a key named ${reserved.join(' or ')}`,
  ),
  // The store has no attribute without a name.
  v.check((input) => !(input instanceof Object && Object.hasOwn(input, '')), 'must not have an empty key'),
  metadataMap,
  v.description('Kept with the run and returned with it.'),
);

/** The input of a run, as JSON. The form, the OpenAPI document and the listing are made from it. Unknown fields are ignored. */
export const createRunSchema = v.object({
  // Required, but where the run before tells what to do. `readFollowed` checks it.
  question: v.optional(questionSchema),
  documentUrl: v.optional(documentUrlSchema),
  audioUrl: v.optional(audioUrlSchema),
  uploadId: v.optional(
    nameOf('An upload made with POST /v1/uploads, in place of a file.', limits.parameterCharacters),
  ),
  agent: v.optional(agentField),
  // A name or { name, version }. The skills package checks it, because its refusals have an envelope of their own.
  skills: v.optional(v.unknown()),
  metadata: v.optional(metadataSchema),
  tools: v.optional(runFields.tools),
  mcp: v.optional(runFields.mcp),
  maxCredits: v.optional(runFields.maxCredits),
  previousRunId: v.optional(
    nameOf(
      'An earlier run of the same key, which has ended. This one goes on from what it asked, answered and read. Without a question it carries on with what the other was at.',
      limits.parameterCharacters,
    ),
  ),
  ...callFields,
  outputSchema: v.optional(runFields.outputSchema),
  model: v.optional(runFields.model),
  proof: v.optional(runFields.proof),
  effort: v.optional(runFields.effort),
  webhookUrl: v.optional(
    urlField(
      "An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it.",
    ),
  ),
});

export type CreateRunBody = v.InferOutput<typeof createRunSchema>;

/** A body whose question is known: its own, or that of the run that it goes on from. */
export type RunBody = CreateRunBody & Partial<Guarded['input']> & { question: string; continues?: true };

export const listQuerySchema = v.object({
  limit: pageLimit(),
  cursor: queryText,
  thread: queryText,
  parentRunId: queryText,
  status: v.optional(v.picklist(listedStates, `must be one of ${listedStates.join(', ')}`)),
  search: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => hasAtMost(text, limits.runSearchCharacters),
        `must have at most ${limits.runSearchCharacters} characters`,
      ),
    ),
  ),
});

export const eventsQuerySchema = v.object({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0),
  limit: pageLimit(limits.pageEntries),
});

/** The fields that the listing of agents shows. */
export const listedFields = ['question', 'documentUrl', 'audioUrl'] as const;

const inputField = described(
  'A field of the input.',
  v.object({ type: v.literal('string'), description: textField('What the field is for.') }),
);

export const agentListingSchema = v.object({
  agents: described(
    'Every agent.',
    v.array(
      v.object({
        id: described('What `agent` of a run names.', v.string()),
        displayName: textField('The name to show.'),
        description: textField('What the agent does.'),
        tools: v.optional(
          described(
            'The tools that it has. Absent on a stored agent, whose definition says.',
            v.array(v.picklist(listedTools)),
          ),
        ),
        input: described(
          'The fields of a run, as JSON Schema has them.',
          v.object({
            type: v.literal('object'),
            properties: described(
              'The fields by their names.',
              v.object(v.entriesFromList(listedFields, inputField)),
            ),
            required: described('The fields that a run must have.', v.array(v.literal('question'))),
          }),
        ),
        scope: v.optional(
          textField("Whose a stored agent is: `user`, `organisation`, or the name of the operator's scope."),
        ),
        version: v.optional(
          described(
            'The published version of a stored agent; null if it has none.',
            v.nullable(countField('From 1.')),
          ),
        ),
        enabled: v.optional(
          flagField('Whether a stored agent is more than a draft, which its own account alone sees.'),
        ),
      }),
    ),
  ),
});

export type AgentListing = v.InferOutput<typeof agentListingSchema>;

export const serverListingSchema = v.object({
  servers: described(
    'In the order of the catalogue.',
    v.array(
      v.object({
        name: textField('What `mcp` of a run names, and the beginning of the names of its tools.'),
        allowedTools: v.optional(described('The only tools of it that are offered.', v.array(v.string()))),
      }),
    ),
  ),
});
