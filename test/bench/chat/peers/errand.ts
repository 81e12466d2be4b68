import type { AddressInfo } from 'node:net';
import { createAccount, createKey } from '@errand/accounts';
import { chatRoutes } from '@errand/chat';
import { messagesRoutes } from '@errand/messages';
import { createCarbonIntensity, parseCatalogue } from '@errand/models';
import {
  createApp,
  createAwsClients,
  createFiles,
  createLog,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  systemClock,
} from '@errand/platform';
import { type ResponsesDeps, responsesRoutes } from '@errand/responses';
import { serve } from '@hono/node-server';

/** The service's chat routes, with key, rate, credits and ledger in the embedded DynamoDB. `--against` runs it too. */
const [, , upstream = '', dynamodbEndpoint = ''] = process.argv;
const log = createLog((line) => process.stderr.write(`${line}\n`));
const { dynamodb } = createAwsClients({
  region: localRegion,
  credentials: localCredentials,
  endpoints: { dynamodb: dynamodbEndpoint },
});
const clock = systemClock;
const accounts = { dynamodb, tables: localTableNames, clock, log, rateLimitRequests: 1_000_000_000 };
const chat = (id: string) => ({
  id,
  kind: 'chat',
  upstream: { baseUrl: `${upstream}/v1`, model: id },
  price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
});
const app = createApp({ log });
const deps = {
  accounts,
  skills: { ...accounts, skillsEnabled: true, providerScope: 'provider' },
  web: { allowedHosts: new Set<string>() },
  catalogue: parseCatalogue({ models: [chat('paced'), chat('unpaced')] }, () => undefined),
  clock,
  log,
  carbonIntensity: createCarbonIntensity({ clock, log, carbon: { zone: 'NL' } }),
  deferCharge: async () => {
    throw new Error('the ledger failed');
  },
};
app.route('/', chatRoutes(deps));
app.route('/', messagesRoutes(deps));
// What is too long for an item cannot be kept: there is no bucket.
const files = createFiles(readConfig('local', {}).aws);
// Chat models alone are measured.
const runs = {} as ResponsesDeps['runs'];
app.route('/', responsesRoutes({ ...deps, dynamodb, tables: localTableNames, files, runs }));
const { accountId } = await createAccount(accounts, {
  name: 'bench',
  creditsNanoEuro: 1_000_000_000_000_000,
});
const { key } = await createKey(accounts, { accountId, label: 'bench' });
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
  process.stdout.write(`ready ${(info as AddressInfo).port} ${key}\n`);
});
