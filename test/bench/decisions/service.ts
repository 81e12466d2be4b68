import { createServer } from 'node:http';
import { createAccount, createKey } from '@errand/accounts';
import { decisionRoutes } from '@errand/decisions';
import { parseCatalogue } from '@errand/models';
import { createApp, silentLog, systemClock } from '@errand/platform';
import { getRequestListener } from '@hono/node-server';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { type BenchServer, listen } from './servers.ts';

export interface BenchService extends BenchServer {
  key: string;
  /** How long requests to DynamoDB were under way since it was last asked, in milliseconds. */
  takeStoreMilliseconds(): number;
}

/** The decision endpoint with all that it does: key, rate, credits, charge, on an embedded DynamoDB. */
export async function startBenchService(upstreamUrl: string): Promise<BenchService> {
  const dynamo = await startTestDynamo();
  const takeStoreMilliseconds = watchStore(dynamo);
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
    takeStoreMilliseconds,
    async close() {
      await server.close();
      await dynamo.close();
    },
  };
}

function watchStore({ dynamodb }: TestDynamo): () => number {
  let underWay = 0;
  let startedAt = 0;
  let sum = 0;
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      if (underWay++ === 0) startedAt = performance.now();
      try {
        return await next(args);
      } finally {
        if (--underWay === 0) sum += performance.now() - startedAt;
      }
    },
    { step: 'initialize', name: 'watchStore' },
  );
  return () => {
    const taken = sum;
    sum = 0;
    return taken;
  };
}
