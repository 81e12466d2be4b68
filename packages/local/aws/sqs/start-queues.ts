import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import { followClock } from './follow-clock.ts';
import { returnUndelivered } from './return-undelivered.ts';
import { fairStore, keepGroups } from './take-turns.ts';

export interface Queues {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts an SQS server in this process. Messages are lost when it ends. Groups of messages take turns. It is built with
 * `buildApp`, because fauxqs's own start function listens on every interface and reads the environment.
 */
export async function startQueues({ host, port = 0 }: { host: string; port?: number }): Promise<Queues> {
  const { stores, queues } = await fairStore();
  const app = buildApp({ logger: false, stores });
  keepGroups(app);
  returnUndelivered(app);
  await app.listen({ host, port });
  const stopFollowing = followClock(queues);
  const { address, family, port: boundPort } = app.server.address() as AddressInfo;
  return {
    endpoint: `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    async close() {
      stopFollowing();
      await app.close();
    },
  };
}
