import { toIso } from '@errand/platform';
import type { WebhookEvent } from './event-types.ts';

/** Why an endpoint is switched off: by its owner, by a 410, or by days of failure. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;

export type DisabledReason = (typeof disabledReasons)[number];

/** An address that hears of the runs of the key that made it. */
export interface Endpoint {
  id: string;
  accountId: string;
  keyId: string;
  /** Its place among those of its key. Absent from endpoints of earlier releases. */
  slot?: number;
  url: string;
  events: readonly WebhookEvent[];
  description: string;
  /** Absent while the endpoint is switched on. */
  disabled?: { at: string; reason: DisabledReason };
  /** Encrypted, unless an earlier release stored it. */
  secret: string;
  /** The secret before the last rotation, which signs too until `untilMilliseconds`. */
  previous?: { secret: string; untilMilliseconds: number };
  /** When the first delivery began that has failed since the last success. */
  failingSinceMilliseconds?: number;
  createdAt: string;
  updatedAt: string;
}

/** The secrets that sign now, the newest first, as they are stored. */
export const secretsOf = (
  { secret, previous }: Pick<Endpoint, 'secret' | 'previous'>,
  nowMilliseconds: number,
): string[] =>
  previous && nowMilliseconds < previous.untilMilliseconds ? [secret, previous.secret] : [secret];

/** The endpoint as the API shows it, without its secret. */
export function viewEndpoint(endpoint: Endpoint, nowMilliseconds: number) {
  const { id, url, events, description, disabled, previous, createdAt, updatedAt } = endpoint;
  return {
    id,
    url,
    events,
    description,
    enabled: !disabled,
    disabledReason: disabled?.reason,
    disabledAt: disabled?.at,
    ...(previous &&
      nowMilliseconds < previous.untilMilliseconds && {
        previousSecretUntil: toIso(previous.untilMilliseconds),
      }),
    createdAt,
    updatedAt,
  };
}
