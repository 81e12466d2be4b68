import {
  describePageLimit,
  jsonAnswer,
  jsonContent,
  limits,
  named,
  notFound,
  type RouteDescription,
  routeForbidden,
  textAnswer,
  textParameter,
} from '@errand/platform';
import {
  deliveryListSchema,
  deliverySchema,
  newWebhookSchema,
  webhookListSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from './schema.ts';

const webhook = {
  id: 'webhook_3xVbN8sKq2LmPzRt5YwE',
  url: 'https://example.com/errand',
  events: ['run.succeeded', 'run.failed'],
  description: 'Reports',
  enabled: true,
  createdAt: '2026-11-23T10:00:00.000Z',
  updatedAt: '2026-11-23T10:00:00.000Z',
};
const withSecret = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGBG0dDkPrz4=' };
const delivery = {
  id: 'msg_0VJqNs1dQ3vKx8ZbW2Lt',
  type: 'run.succeeded',
  status: 'pending',
  attempts: 1,
  createdAt: '2026-11-23T10:05:00.000Z',
  lastAttemptAt: '2026-11-23T10:05:01.000Z',
  nextAttemptAt: '2026-11-23T10:05:06.200Z',
  response: { status: 503, body: 'down for maintenance' },
};

const path = { id: textParameter('The id of a webhook.', webhook.id) };
const always = routeForbidden('runs');
const missing = { ...notFound('This key has no such webhook.'), ...always };
const invalid = { 400: textAnswer('What is wrong, one line each.', 'events: must name an event') };
const tooLarge = {
  413: textAnswer('The body is too large.', `The request body is larger than ${limits.jsonBodyBytes} bytes.`),
};

export const createWebhook: RouteDescription = {
  summary: 'Have the ends of runs told to an address',
  description:
    'The endpoint hears of the runs of the key that makes it. Events are signed by the rules of Standard Webhooks, with the secret that this answer alone shows.',
  tag: 'webhooks',
  body: jsonContent(named('NewWebhook', newWebhookSchema), {
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
  }),
  responses: {
    201: {
      ...jsonAnswer('The webhook, with its secret.', webhookWithSecretSchema, withSecret),
      headers: ['Location'],
    },
    ...invalid,
    ...tooLarge,
    ...always,
  },
};

export const listWebhooks: RouteDescription = {
  summary: "List the key's webhooks",
  description: 'The oldest first, without their secrets.',
  tag: 'webhooks',
  responses: { 200: jsonAnswer('The webhooks.', webhookListSchema, { webhooks: [webhook] }), ...always },
};

export const getWebhook: RouteDescription = {
  summary: 'Read a webhook',
  description: 'Without its secret. It says why it is switched off, if it is.',
  tag: 'webhooks',
  path,
  responses: { 200: jsonAnswer('The webhook.', webhookSchema, webhook), ...missing },
};

export const updateWebhook: RouteDescription = {
  summary: 'Change a webhook',
  description: 'What is absent stays. What is on its way goes to the new address.',
  tag: 'webhooks',
  path,
  body: jsonContent(named('WebhookPatch', webhookPatchSchema), { enabled: true }),
  responses: {
    200: jsonAnswer('The webhook as it is now.', webhookSchema, webhook),
    ...invalid,
    ...tooLarge,
    ...missing,
  },
};

export const deleteWebhook: RouteDescription = {
  summary: 'Delete a webhook',
  description: 'What is on its way is not sent any more.',
  tag: 'webhooks',
  path,
  responses: { 204: { description: 'The webhook is gone.' }, ...missing },
};

export const rotateWebhook: RouteDescription = {
  summary: 'Give a webhook a new secret',
  description: `For ${limits.webhookRotationSeconds / 3600} hours the secret before signs too, so that a receiver can change over.`,
  tag: 'webhooks',
  path,
  responses: {
    200: jsonAnswer('The webhook, with its new secret.', webhookWithSecretSchema, {
      ...withSecret,
      previousSecretUntil: '2026-11-24T10:00:00.000Z',
    }),
    ...missing,
  },
};

export const testWebhook: RouteDescription = {
  summary: 'Send a test event',
  description: 'One `webhook.test`, which is not repeated. It is sent to a webhook that is switched off too.',
  tag: 'webhooks',
  path,
  responses: {
    202: jsonAnswer('The delivery, which is on its way.', deliverySchema, {
      id: delivery.id,
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      createdAt: delivery.createdAt,
      nextAttemptAt: delivery.createdAt,
    }),
    ...missing,
  },
};

export const listWebhookDeliveries: RouteDescription = {
  summary: 'List what was sent to a webhook',
  description: 'The deliveries of the last seven days, newest first.',
  tag: 'webhooks',
  path,
  query: { limit: describePageLimit(), cursor: textParameter("The page before's `cursor`.") },
  responses: {
    200: jsonAnswer('A page; `cursor` is there while more follow.', deliveryListSchema, {
      deliveries: [delivery],
    }),
    400: textAnswer('A wrong parameter.', `limit: must be at most ${limits.pageEntries}`),
    ...missing,
  },
};

export const redeliverWebhook: RouteDescription = {
  summary: 'Send a delivery again',
  description: 'At once, with the same `webhook-id`, and again for 72 hours while it fails.',
  tag: 'webhooks',
  path: { ...path, delivery: textParameter('The id of a delivery.', delivery.id) },
  responses: {
    202: jsonAnswer('The delivery, which is on its way again.', deliverySchema, delivery),
    ...notFound('This key has no such webhook, or the webhook no such delivery.'),
    ...always,
  },
};
