import { createServer } from 'node:http';
import { createAccount, createKey } from '@errand/accounts';
import { decisionRoutes } from '@errand/decisions';
import { parseCatalogue } from '@errand/models';
import { createApp, silentLog, systemClock } from '@errand/platform';
import { getRequestListener } from '@hono/node-server';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { type BenchServer, listen } from './servers.ts';

/** The decision endpoint with all that it does: key, rate, credits, charge, on an embedded DynamoDB. */
export async function startBenchService(upstreamUrl: string): Promise<BenchServer & { key: string }> {
  const dynamo = await startTestDynamo();
  const accounts = {
    dynamodb: dynamo.dynamodb,
    tables: dynamo.tables,
    clock: systemClock,
    log: silentLog,
    rateLimitRequests: 1_000_000,
  };
  const { accountId } = await createAccount(accounts, { name: 'Bench', creditsNanoEuro: 1e15 });
  const { key } = await createKey(accounts, { accountId, label: 'bench' });
  const catalogue = parseCatalogue(
    {
      models: [
        {
          id: 'judge',
          kind: 'decision',
          upstream: { baseUrl: upstreamUrl, model: 'judge' },
          price: { inputPerMillionTokens: 0.1 },
        },
      ],
      roles: { decision: 'judge' },
    },
    () => undefined,
  );
  const app = createApp({ log: silentLog });
  app.route(
    '/',
    decisionRoutes({
      accounts,
      catalogue,
      location: 'eu',
      clock: systemClock,
      log: silentLog,
      carbonIntensity: async () => 250,
      deferCharge: async () => {},
    }),
  );
  const server = await listen(createServer(getRequestListener(app.fetch)));
  return {
    ...server,
    key,
    async close() {
      await server.close();
      await dynamo.close();
    },
  };
}
