import type { DynamoServer } from '../support/dynamo-server.ts';
import { startOneAtATime } from './one-at-a-time.ts';
import { startMoto } from './start-moto.ts';

/** Stands in for `test/support/dynamo-server.ts`. */
export async function startDynamoServer(): Promise<DynamoServer> {
  const moto = await startMoto();
  const proxy = await startOneAtATime(moto.url);
  return {
    endpoint: proxy.url,
    pid: process.pid,
    async close() {
      await proxy.close();
      await moto.close();
    },
  };
}
