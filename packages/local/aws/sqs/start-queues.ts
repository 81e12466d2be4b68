import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import { returnUndelivered } from './return-undelivered.ts';

export interface Queues {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * An SQS server in this process; what is queued ends with it. Built from its parts, because its own start listens
 * on every interface and reads the environment.
 */
export async function startQueues({ host, port = 0 }: { host: string; port?: number }): Promise<Queues> {
  const app = buildApp({ logger: false });
  returnUndelivered(app);
  await app.listen({ host, port });
  const { address, family, port: boundPort } = app.server.address() as AddressInfo;
  return {
    endpoint: `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    async close() {
      await app.close();
    },
  };
}
