import {
  envelopeSchema,
  jsonAnswer,
  jsonContent,
  limits,
  mayHave,
  named,
  notFound,
  type RouteDescription,
  refusalSchema,
  refusalWords,
  skillAnswer,
  slowBodyMessage,
  textContent,
  textParameter,
  unpaidSchema,
} from '@errand/platform';
import { changedSkill, skillIfMatch } from '@errand/skills';
import * as v from 'valibot';
import { embeddingList, embeddingRequest } from './embeddings/schema.ts';
import { completion, completionEvent } from './openapi/completion.ts';
import { completionRequest } from './openapi/completion-request.ts';
import * as example from './openapi/examples.ts';
import { modelRefusals, noSuchModel } from './openapi/model-refusals.ts';
import { modelEntry, modelList, pricing, pricingList } from './schema.ts';

const noModel = refusalWords.model_not_found({ model: 'nobody', nearest: 'writer' });

const refusal = (description: string, message: string, code: string, param: string | null = null) =>
  jsonAnswer(description, envelopeSchema, { error: { message, type: 'invalid_request_error', param, code } });

const streamed = [
  'With `stream: true`, server-sent events: the `data` of each is one JSON object, on one line, and the last event is `data: [DONE]`.',
  'Lines that begin with a colon are comments that keep the connection open.',
  '`usage` and `impact` are sent once: on the last chunk that has a `finish_reason` or, with `stream_options.include_usage`, on a chunk after it with empty `choices`.',
  'A stream that breaks off has an object with `error` before `[DONE]`.',
].join('\n');

/** What every route of this room that asks a model may answer. */
const paidRefusals: RouteDescription['responses'] = {
  402: {
    ...jsonAnswer(
      'No credits are left, or a budget is spent; `error` is an object where it is a budget.',
      v.union([unpaidSchema, envelopeSchema]),
      { error: 'No remaining credits (EUR)', available: '0', needed: '0.0068' },
    ),
    optionalHeaders: ['Retry-After'],
  },
  403: refusal(
    'The key may not be used for chat, or not with this model.',
    'This key may not use the model "writer".',
    'model_forbidden',
    'model',
  ),
  408: refusal('The body did not arrive in time.', slowBodyMessage, 'body_too_slow'),
  413: refusal(
    'The body is too large.',
    `The request body is larger than ${limits.jsonBodyBytes} bytes.`,
    'body_too_large',
  ),
};

export const createChatCompletion: RouteDescription = {
  summary: 'Complete a chat, streamed or in one piece',
  description: [
    "Takes OpenAI's request. Parameters that are not listed reach the model as they are, apart from those that would change the price.",
    streamed,
  ].join('\n\n'),
  tag: 'chat',
  body: jsonContent(named('ChatCompletionRequest', completionRequest), example.request),
  headers: skillIfMatch,
  // Errors after a skill was resolved have the skill's headers too.
  responses: mayHave(skillAnswer, {
    200: {
      description: 'One JSON object, or with `stream: true` the same in chunks as server-sent events.',
      content: {
        'application/json': { schema: completion, example: example.answer },
        'text/event-stream': { schema: completionEvent, example: example.chunk },
      },
    },
    400: refusal(
      'The request, its model or its skill is not valid, or its text is longer than its model reads.',
      noModel,
      'model_not_found',
      'model',
    ),
    ...paidRefusals,
    412: jsonAnswer(changedSkill.description, envelopeSchema, changedSkill.body),
    503: {
      description:
        'No capacity, or the server is stopping, in which case `error` is an object. Text where a skill is named and skills are not switched on.',
      content: {
        ...jsonContent(v.union([refusalSchema, envelopeSchema]), {
          error: 'Service temporarily at capacity. Please retry.',
        }),
        ...textContent('Skills are not enabled'),
      },
      optionalHeaders: ['Retry-After', 'X-Should-Retry'],
    },
    504: {
      ...jsonAnswer('The model did not answer in time; streams have no such limit.', envelopeSchema, {
        error: {
          message: 'The model did not answer in time. Streaming has no such limit.',
          type: 'server_error',
          param: null,
          code: 'timeout',
        },
      }),
      headers: ['X-Should-Retry'],
    },
  }),
};

export const createEmbeddings: RouteDescription = {
  summary: 'Embed texts',
  description:
    "Takes OpenAI's request. A vector stands for the meaning of a text: texts that mean alike have vectors that point alike.",
  tag: 'chat',
  body: jsonContent(named('EmbeddingRequest', embeddingRequest), example.embeddingRequest),
  responses: {
    200: jsonAnswer('The vectors.', named('EmbeddingList', embeddingList), example.embeddings),
    400: refusal(
      'The request or its model is not valid, or the model refuses it.',
      'Model "writer" makes no embeddings.',
      'model_kind_unsupported',
      'model',
    ),
    ...paidRefusals,
    503: {
      ...jsonAnswer(
        'No capacity, or the server is stopping, in which case `error` is an object.',
        v.union([refusalSchema, envelopeSchema]),
        { error: 'Service temporarily at capacity. Please retry.' },
      ),
      optionalHeaders: ['Retry-After', 'X-Should-Retry'],
    },
    504: {
      ...jsonAnswer('The model did not answer in time.', envelopeSchema, {
        error: {
          message: 'The model did not answer in time.',
          type: 'server_error',
          param: null,
          code: 'timeout',
        },
      }),
      headers: ['X-Should-Retry'],
    },
  },
};

const anthropicHeader = {
  'anthropic-version': textParameter("Anthropic's clients send it.", '2023-06-01'),
};

export const listModels: RouteDescription = {
  summary: 'List the models',
  description:
    'Every model twice: as `data` for clients of OpenAI and Anthropic, and as `models` for clients of decisions. The header `anthropic-version`, whatever its value, adds what Anthropic has of a model.',
  tag: 'chat',
  headers: anthropicHeader,
  responses: {
    200: jsonAnswer('Every model.', named('ModelList', modelList), example.models),
    ...modelRefusals,
  },
};

export const getModel: RouteDescription = {
  summary: 'Show a model',
  description: 'What it reads, what it costs and what it can do: its entry in `GET /v1/models`.',
  tag: 'chat',
  headers: anthropicHeader,
  path: { model: textParameter('The id of a model. It may have slashes.', 'writer') },
  responses: {
    200: jsonAnswer('The model.', named('Model', modelEntry), example.models.data[0]),
    ...noSuchModel,
    ...modelRefusals,
  },
};

export const listPrices: RouteDescription = {
  summary: 'List the prices of all models',
  description: 'Prices in EUR, where they apply, and those that follow. In the order of `GET /v1/models`.',
  tag: 'chat',
  responses: {
    200: jsonAnswer('The prices.', named('PriceList', pricingList), { data: [example.price] }),
  },
};

export const getPrice: RouteDescription = {
  summary: "Show a model's price",
  description: 'Prices in EUR, where they apply, and those that follow.',
  tag: 'chat',
  path: { model: textParameter('The id of a model. It may have slashes.', 'writer') },
  responses: {
    200: jsonAnswer('The price.', named('ModelPrice', pricing), example.price),
    ...notFound('There is no such model.'),
  },
};
