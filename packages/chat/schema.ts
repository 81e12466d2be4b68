import { capabilityNames, modelKinds } from '@errand/models';
import { named, notList, skillReasons } from '@errand/platform';
import * as v from 'valibot';

/** The message for a value that is no such object. valibot (1.x) would also use it for a missing field of the object. */
const objectMessage =
  (message: string) =>
  ({ expected, received }: v.BaseIssue<unknown>): string =>
    received === 'undefined' && expected?.startsWith('"') ? 'is required' : message;

const wholeNumber = v.nullish(
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
  ),
);

/** The fields of a request that we read. The others reach the upstream as they were sent, unless the rules for its fields say otherwise. */
export const chatRequest = v.looseObject(
  {
    model: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')),
    messages: v.pipe(
      v.array(
        v.looseObject(
          { role: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')) },
          objectMessage('must be an object with a role'),
        ),
        'must be a list of messages',
      ),
      v.minLength(1, 'must have at least one message'),
    ),
    stream: v.nullish(v.boolean('must be true or false')),
    stream_options: v.nullish(v.pipe(notList, v.looseObject({}, 'must be an object'))),
    n: wholeNumber,
    max_tokens: wholeNumber,
    max_completion_tokens: wholeNumber,
    skills: v.optional(v.unknown()),
  },
  objectMessage('must be an object'),
);

export type ChatRequestBody = v.InferOutput<typeof chatRequest>;

const amounts = v.object({
  inputPerMillionTokens: v.optional(v.number()),
  cachedInputPerMillionTokens: v.optional(v.number()),
  cacheWritePerMillionTokens: v.optional(v.number()),
  outputPerMillionTokens: v.optional(v.number()),
  perSecond: v.optional(v.number()),
});

const price = v.object({ from: v.optional(v.string()), ...amounts.entries });

export const modelEntry = v.object({
  id: v.string(),
  object: v.literal('model'),
  created: v.number(),
  owned_by: v.string(),
  kind: v.picklist(modelKinds),
  context_length: v.optional(v.pipe(v.number(), v.integer())),
  pricing: v.object({ currency: v.literal('EUR'), ...amounts.entries }),
  capabilities: v.object(v.entriesFromList(capabilityNames, v.boolean())),
});

export const modelList = v.object({
  object: v.literal('list'),
  data: v.array(named('Model', modelEntry)),
  models: v.array(v.object({ name: v.string(), description: v.string(), release_date: v.string() })),
});

export const pricing = v.object({
  model: v.string(),
  kind: v.picklist(modelKinds),
  currency: v.literal('EUR'),
  ...price.entries,
  next: v.optional(named('Price', price)),
});

export const pricingList = v.object({ data: v.array(named('ModelPrice', pricing)) });

export const chatErrorEnvelope = v.object({
  error: v.object({
    message: v.string(),
    type: v.string(),
    param: v.nullable(v.string()),
    code: v.nullable(v.string()),
    reason: v.optional(v.picklist(skillReasons)),
  }),
});
