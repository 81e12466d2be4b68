import { runsPartitions } from '@errand/platform';

/** Endpoints and their places are in the table `Accounts`, for as long as their owner wants them; all else expires in the table `Runs`. */
export const itemKeys = {
  endpoint: (accountId: string, keyId: string, id: string) => ({
    pk: endpointPartition(accountId),
    sk: `${endpointPrefix(keyId)}${id}`,
  }),
  /** A place for an endpoint of a key. */
  slot: (accountId: string, keyId: string, slot: number) => ({
    pk: `WEBHOOKSLOTS#${accountId}`,
    sk: `${endpointPrefix(keyId)}${slot}`,
  }),
  /** The message about a source, such as a run, until its deliveries are written. */
  message: (source: string) => ({ pk: `${runsPartitions.webhookMessage}${source}`, sk: 'MESSAGE' }),
  /** The mark of a source that is told of once, and has been. */
  told: (source: string) => ({ pk: `${runsPartitions.webhookMessage}${source}`, sk: 'TOLD' }),
  underWay: (accountId: string) => ({ pk: `${runsPartitions.webhookAttempts}${accountId}`, sk: 'UNDERWAY' }),
  /** Ids of deliveries sort by the time of their message. */
  delivery: (endpointId: string, deliveryId: string) => ({
    pk: deliveryPartition(endpointId),
    sk: deliveryId,
  }),
};

export const endpointPartition = (accountId: string): string => `WEBHOOKS#${accountId}`;

export const endpointPrefix = (keyId: string): string => `${keyId}#`;

export const deliveryPartition = (endpointId: string): string =>
  `${runsPartitions.webhookDeliveries}${endpointId}`;
