import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount, createKey } from '@errand/accounts';
import { decisionRoutes } from '@errand/decisions';
import { parseCatalogue } from '@errand/models';
import {
  createApp,
  createAwsClients,
  localCredentials,
  localRegion,
  localTableNames,
  silentLog,
  systemClock,
} from '@errand/platform';
import { getRequestListener } from '@hono/node-server';

/** The service's decision routes, with key, rate, credits and charge in the embedded DynamoDB. */
const [, , upstream = '', dynamodbEndpoint = ''] = process.argv;
const { dynamodb } = createAwsClients({
  region: localRegion,
  credentials: localCredentials,
  endpoints: { dynamodb: dynamodbEndpoint },
});
const accounts = {
  dynamodb,
  tables: localTableNames,
  clock: systemClock,
  log: silentLog,
  rateLimitRequests: 1_000_000,
};
const judge = {
  id: 'judge',
  kind: 'decision',
  upstream: { baseUrl: upstream, model: 'judge' },
  price: { inputPerMillionTokens: 0.1 },
};
const app = createApp({ log: silentLog });
app.route(
  '/',
  decisionRoutes({
    accounts,
    catalogue: parseCatalogue({ models: [judge], roles: { decision: 'judge' } }, () => undefined),
    location: 'eu',
    clock: systemClock,
    log: silentLog,
    carbonIntensity: async () => 250,
    async deferCharge() {
      throw new Error('the ledger failed');
    },
  }),
);
const { accountId } = await createAccount(accounts, { name: 'Bench', creditsNanoEuro: 1e15 });
const { key } = await createKey(accounts, { accountId, label: 'bench' });
const server = createServer(getRequestListener(app.fetch));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port} ${key}\n`);
});
