import {
  countField,
  cursorField,
  described,
  flagField,
  hasAtMost,
  hasControls,
  limits,
  named,
  numberField,
  pageLimit,
  queryText,
  textField,
  timeField,
  wellFormed,
} from '@errand/platform';
import * as v from 'valibot';
import { deliveryStatuses } from './delivery.ts';
import { disabledReasons } from './endpoint.ts';
import { testEvent, webhookEvents } from './event-types.ts';

/** Only the form: `readAddress` tells whether events may be sent to the address. */
const urlField = v.pipe(
  v.string('must be a string'),
  v.maxLength(limits.urlCharacters, `must have at most ${limits.urlCharacters} characters`),
  v.description('Where events are sent: a public https address.'),
);

const eventsField = v.pipe(
  v.array(
    v.picklist(webhookEvents, `must be one of ${webhookEvents.join(', ')}`),
    `must be a list of ${webhookEvents.join(', ')}`,
  ),
  v.minLength(1, 'must name an event'),
  v.check((events) => new Set(events).size === events.length, 'must not name an event twice'),
  v.description('What the endpoint hears of.'),
  v.metadata({ uniqueItems: true, maxItems: webhookEvents.length }),
);

const descriptionField = v.pipe(
  v.string('must be a string'),
  v.check(
    (text) => hasAtMost(text, limits.webhookDescriptionCharacters),
    `must have at most ${limits.webhookDescriptionCharacters} characters`,
  ),
  wellFormed,
  v.check((text) => !hasControls(text.replace(/[\t\n]/g, '')), 'must not have control characters'),
  v.description('What the endpoint is for, in your words.'),
  v.metadata({ maxLength: limits.webhookDescriptionCharacters }),
);

export const newWebhookSchema = v.object(
  { url: urlField, events: eventsField, description: v.optional(descriptionField) },
  'is required',
);

export type NewWebhook = v.InferOutput<typeof newWebhookSchema>;

export const webhookPatchSchema = v.object({
  url: v.optional(urlField),
  events: v.optional(eventsField),
  description: v.optional(descriptionField),
  enabled: v.optional(
    described(
      'Whether events are sent. `true` also forgets why they were not.',
      v.boolean('must be true or false'),
    ),
  ),
});

export type WebhookPatch = v.InferOutput<typeof webhookPatchSchema>;

export const deliveriesQuerySchema = v.object({ limit: pageLimit(), cursor: queryText });

const entries = {
  id: v.string(),
  url: textField('Where events are sent.'),
  events: described('What the endpoint hears of.', v.array(v.picklist(webhookEvents))),
  description: textField('What the endpoint is for; empty if not given.'),
  enabled: flagField('Whether events are sent.'),
  disabledReason: v.optional(
    described(
      'Why no events are sent: `owner` switched it off, the receiver is `gone` (it answered 410), or it was `failing` for three days.',
      v.picklist(disabledReasons),
    ),
  ),
  disabledAt: v.optional(timeField('Since when no events are sent.')),
  previousSecretUntil: v.optional(timeField('Until when the secret before the last rotation signs too.')),
  createdAt: v.string(),
  updatedAt: v.string(),
};

export const webhookSchema = named('Webhook', v.object(entries));

export const webhookWithSecretSchema = named(
  'WebhookWithSecret',
  v.object({
    ...entries,
    secret: textField('Signs what is sent, by the rules of Standard Webhooks. It is shown this once.'),
  }),
);

export const webhookListSchema = named(
  'WebhookList',
  v.object({ webhooks: described('The oldest first.', v.array(webhookSchema)) }),
);

export const deliverySchema = named(
  'WebhookDelivery',
  v.object({
    id: textField(
      'The `webhook-id` that it is sent with, and `-run` after it if it went to the address of a run.',
    ),
    type: described('The event.', v.picklist([...webhookEvents, testEvent])),
    status: described('Whether it is on its way, arrived or was given up.', v.picklist(deliveryStatuses)),
    attempts: countField('How often it was sent.'),
    url: v.optional(textField('The address that the run named, if it went there.')),
    createdAt: v.string(),
    lastAttemptAt: v.optional(timeField('When it was sent last.')),
    nextAttemptAt: v.optional(timeField('When it is sent next.')),
    response: v.optional(
      described(
        "The receiver's last answer.",
        v.object({
          status: numberField('The HTTP status.'),
          body: textField('The first kilobyte of the body.'),
        }),
      ),
    ),
    error: v.optional(textField('Why there was no answer, or why it is not sent any more.')),
  }),
);

export const deliveryListSchema = named(
  'WebhookDeliveryList',
  v.object({
    deliveries: described('Newest first.', v.array(deliverySchema)),
    cursor: v.optional(cursorField()),
  }),
);
