import type { describeRoute } from '@errand/platform';
import {
  chatCompletion,
  chatErrorEnvelope,
  chatRequest,
  modelEntry,
  modelList,
  pricing,
  pricingList,
} from './schema.ts';

type Description = Parameters<typeof describeRoute>[0];

const text = { 'text/plain': 'text' } as const;
const envelope = { 'application/json': chatErrorEnvelope };

export const describeCompletions: Description = {
  summary: 'Complete a chat, streamed or in one piece',
  tag: 'chat',
  body: { schema: chatRequest },
  responses: {
    200: {
      description:
        'With `stream`, chunks as server-sent events: `usage` and `impact` are on the last one before `[DONE]`, which is the last with a `finish_reason`, or has empty `choices` if `stream_options.include_usage` is true. Otherwise one JSON object.',
      content: { 'application/json': chatCompletion, 'text/event-stream': 'text' },
    },
    400: { description: 'The request, its model or its skill is not valid', content: envelope },
    401: { description: 'Missing or invalid key', content: text },
    402: { description: "No credits left, or the key's budget is spent" },
    403: { description: 'The key may not be used for chat, or not with this model', content: envelope },
    413: { description: 'The body is too large', content: envelope },
    429: { description: 'Rate limit exceeded', content: text },
    503: { description: 'No capacity; `Retry-After` says when to retry' },
    504: { description: 'No answer in time (not streamed)', content: envelope },
  },
};

export const describeModels: Description = {
  summary: 'List the models',
  tag: 'chat',
  responses: {
    200: {
      description: 'Every model, for two kinds of clients',
      content: { 'application/json': modelList },
    },
    401: { description: 'Missing or invalid key', content: text },
    429: { description: 'Rate limit exceeded', content: text },
  },
};

export const describeModel: Description = {
  summary: 'Show a model: its context, what it costs and what it can do',
  tag: 'chat',
  responses: {
    200: { description: 'The entry of the list', content: { 'application/json': modelEntry } },
    401: { description: 'Missing or invalid key', content: text },
    404: { description: 'No such model', content: envelope },
    429: { description: 'Rate limit exceeded', content: text },
  },
};

export const describePricingList: Description = {
  summary: 'List the prices of all models',
  tag: 'chat',
  responses: {
    200: {
      description: 'Prices in EUR, where they apply, and those that follow',
      content: { 'application/json': pricingList },
    },
    401: { description: 'Missing or invalid key', content: text },
    429: { description: 'Rate limit exceeded', content: text },
  },
};

export const describePricing: Description = {
  summary: "Show a model's price",
  tag: 'chat',
  responses: {
    200: { description: 'Prices in EUR, where they apply', content: { 'application/json': pricing } },
    401: { description: 'Missing or invalid key', content: text },
    404: { description: 'No such model' },
    429: { description: 'Rate limit exceeded', content: text },
  },
};
