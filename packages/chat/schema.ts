import { type Capabilities, modelKinds } from '@errand/models';
import {
  described,
  flagField,
  limits,
  metadataMap,
  named,
  notList,
  nullishBoundedText,
  nullishFlag,
  nullishInteger,
  numberField,
  priceFields,
  priceFrom,
  shownAs,
  textField,
  unchecked,
} from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';

/**
 * The message for a value that is not the expected object. valibot (1.x) would also use this message for a missing
 * field of the object.
 */
const objectMessage =
  (message: string) =>
  ({ expected, received }: v.BaseIssue<unknown>): string =>
    received === 'undefined' && expected?.startsWith('"') ? 'is required' : message;

const word = (description: string) =>
  v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'), v.description(description));

/** A text that passes on: a model checks what it is, and its length is checked here. */
const mark = (description: string, most: number = limits.markCharacters) =>
  v.optional(
    shownAs(
      nullishBoundedText(description, most),
      v.custom(
        (value) => typeof value !== 'string' || value.length <= most,
        `must have at most ${most} characters`,
      ),
    ),
  );

const hasFewEntries = (value: unknown) => {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return (
    entries.length <= limits.metadataEntries &&
    entries.every(
      ([name, text]) =>
        name.length <= limits.metadataKeyCharacters &&
        (typeof text !== 'string' || text.length <= limits.metadataValueCharacters),
    )
  );
};

/** Marks of a caller. Some servers take other values than texts as `metadata`. */
export const marks = {
  metadata: v.optional(
    shownAs(
      described('Is passed on to the model.', v.nullish(metadataMap)),
      v.custom(
        hasFewEntries,
        `must have at most ${limits.metadataEntries} entries of at most ${limits.metadataKeyCharacters} and ${limits.metadataValueCharacters} characters`,
      ),
    ),
  ),
  user: mark('A mark of the caller for their own user.'),
  safety_identifier: mark('Another such mark.', limits.safetyIdentifierCharacters),
  prompt_cache_key: mark('Requests that begin alike.', limits.promptCacheKeyCharacters),
};

/**
 * The fields of a request that are read here. Other fields reach the upstream as they were sent, unless the
 * upstream's rules for fields say otherwise. `completionRequest` describes the fields that a model checks.
 */
export const chatRequest = v.looseObject(
  {
    model: v.pipe(
      word('The id of a chat or vision model of `GET /v1/models`.'),
      v.metadata({ maxLength: limits.markCharacters }),
    ),
    messages: v.pipe(
      v.array(
        v.looseObject(
          { role: word('`system`, `developer`, `user`, `assistant` or `tool`.') },
          objectMessage('must be an object with a role'),
        ),
        'must be a list of messages',
      ),
      v.minLength(1, 'must have at least one message'),
    ),
    stream: described('Whether the answer comes in chunks.', v.nullish(v.boolean('must be true or false'))),
    stream_options: described(
      'How the answer is streamed.',
      v.nullish(
        v.pipe(
          notList,
          v.looseObject(
            {
              include_usage: v.optional(
                unchecked(
                  nullishFlag('Sends `usage` and `impact` in a chunk of their own, with empty `choices`.'),
                ),
              ),
            },
            'must be an object',
          ),
        ),
      ),
    ),
    n: nullishInteger(
      `How many answers, at most ${limits.choicesPerCompletion} unless the operator says otherwise.`,
      1,
    ),
    max_tokens: nullishInteger('The most tokens of an answer.', 1),
    max_completion_tokens: nullishInteger('The newer name of `max_tokens`.', 1),
    skills: v.optional(unchecked(skillFieldSchema)),
    ...marks,
  },
  objectMessage('must be an object'),
);

export type ChatRequestBody = v.InferOutput<typeof chatRequest>;

const price = v.object({ from: priceFrom, ...priceFields });
const kind = described('What the model is for.', v.picklist(modelKinds));
const currency = described('The currency of all prices.', v.literal('EUR'));

const capabilities: Record<keyof Capabilities, v.GenericSchema<boolean>> = {
  tools: flagField('Whether it calls tools.'),
  images: flagField('Whether it reads images.'),
  structuredOutput: flagField('Whether it keeps to a JSON Schema.'),
  streaming: flagField('Whether its answers can be streamed.'),
};

/** For Anthropic's clients. */
const support = (description: string) =>
  v.optional(described(description, v.object({ supported: flagField('Whether it is.') })));

const nothing = (description: string) => v.optional(described(description, v.nullable(v.string())));

const asked = 'Where the header `anthropic-version` is sent:';

const anthropicCapabilities = {
  batch: support(`${asked} batches of messages.`),
  citations: support(`${asked} citations of documents.`),
  code_execution: support(`${asked} code that the provider runs.`),
  context_management: support(`${asked} edits of the conversation by the provider.`),
  effort: support(`${asked} \`output_config.effort\`.`),
  image_input: support(`${asked} images.`),
  pdf_input: support(`${asked} documents.`),
  server_tools: support(`${asked} tools that the provider runs.`),
  structured_outputs: support(`${asked} \`output_config.format\`.`),
  thinking: support(`${asked} \`thinking\`.`),
};

const tokensOrNull = (description: string) =>
  v.optional(described(description, v.nullable(v.pipe(v.number(), v.integer()))));

const anthropicFields = {
  max_input_tokens: tokensOrNull(`${asked} how many tokens it reads.`),
  max_tokens: tokensOrNull(`${asked} the most tokens of an answer.`),
  lifecycle: v.optional(described(`${asked} that it is offered.`, v.literal('active'))),
  deprecated_at: nothing(`${asked} null.`),
  retires_at: nothing(`${asked} null.`),
  line: nothing(`${asked} null.`),
};

export const modelEntry = v.object({
  id: v.string(),
  object: v.literal('model'),
  type: described("The same for Anthropic's clients.", v.literal('model')),
  display_name: textField("Its id, for Anthropic's clients."),
  created_at: textField('When the model was released: 1970 where that is not known.'),
  created: numberField('When the model was released, in seconds since the epoch; 0 where that is not known.'),
  owned_by: textField("Who offers the model, for OpenAI's clients."),
  kind,
  context_length: v.optional(
    described('How many tokens it reads; absent where that is not known.', v.pipe(v.number(), v.integer())),
  ),
  pricing: described('The prices that hold now.', v.object({ currency, ...priceFields })),
  capabilities: described(
    'What chat completions with it can do.',
    v.object({ ...capabilities, ...anthropicCapabilities }),
  ),
  ...anthropicFields,
});

export const modelList = v.object({
  object: v.literal('list'),
  data: described("Every model, for OpenAI's and Anthropic's clients.", v.array(named('Model', modelEntry))),
  has_more: described('Never: the list is whole.', v.literal(false)),
  first_id: described('The first id of `data`.', v.nullable(v.string())),
  last_id: described('The last id of `data`.', v.nullable(v.string())),
  models: described(
    'The same models, for clients of decisions.',
    v.array(
      v.object({
        name: textField('The id of the model.'),
        description: textField('What it does.'),
        release_date: textField('The day of its release, `YYYY-MM-DD`; empty where that is not known.'),
      }),
    ),
  ),
});

export const pricing = v.object({
  model: textField('The id of the model.'),
  kind,
  currency,
  ...price.entries,
  next: v.optional(
    named('Price', described('The prices that follow, with the day from which they hold.', price)),
  ),
});

export const pricingList = v.object({
  data: described('In the order of `GET /v1/models`.', v.array(named('ModelPrice', pricing))),
});
