import { limits, type NamedWrite, toSeconds } from '@errand/platform';
import type { WebhookStoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import { type Message, unsentStatus } from './message.ts';

/** The write that puts the message about a source into the outbox, for a transaction of the caller. */
export const messageWrite = (
  { tables, clock }: Pick<WebhookStoreDeps, 'tables' | 'clock'>,
  source: string,
  message: Message,
): NamedWrite => ({
  Put: {
    TableName: tables.runs,
    Item: {
      ...itemKeys.message(source),
      ...message,
      status: unsentStatus,
      expiresAtSeconds: toSeconds(clock()) + limits.webhookMessageKeptSeconds,
    },
  },
});

/** The write that marks a source as told of. Condition: `told-once`. */
export const toldWrite = (
  { tables, clock }: Pick<WebhookStoreDeps, 'tables' | 'clock'>,
  source: string,
): NamedWrite => ({
  condition: 'told-once',
  Put: {
    TableName: tables.runs,
    Item: {
      ...itemKeys.told(source),
      expiresAtSeconds: toSeconds(clock()) + limits.webhookToldSeconds,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});
