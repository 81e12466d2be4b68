import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatRoutes } from '@errand/chat';
import { type DecisionDeps, decisionRoutes } from '@errand/decisions';
import { parseCatalogue } from '@errand/models';
import { type Charge, type LedgerEntry, listEntries, whenSettled } from '@errand/money';
import { createApp, createLog, type LogFields, type StartTimer } from '@errand/platform';
import { serve } from '@hono/node-server';
import { type HeldClock, newTestAccount, testAccounts } from '../../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { type SystemOneUpstream, startUpstream } from './upstream.ts';

export interface DecisionService {
  baseUrl: string;
  deps: DecisionDeps;
  clock: HeldClock;
  dynamo: TestDynamo;
  upstream: SystemOneUpstream;
  key: string;
  keyId: string;
  accountId: string;
  deferred: Charge[];
  log: LogFields[];
  /** Ends the time limit of every running request. */
  endTime(): void;
  /** A string is sent unchanged, any other body as JSON. */
  post(
    body: unknown,
    options?: { path?: string; key?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  newKey(credits: string, subscription?: boolean): Promise<string>;
  /** The ledger's decisions, after all background charges are settled. */
  ledger(): Promise<LedgerEntry[]>;
  close(): Promise<void>;
}

interface ServiceOptions {
  rateLimitRequests?: number;
  location?: 'eu' | 'us';
  contextTokens?: number;
  /** Further models of the catalogue. */
  models?: object[];
}

/** A decision model that costs 100 nano-euro per input token, and a chat model. */
const catalogueOf = (baseUrl: string, contextTokens: number, models: object[] = []) =>
  parseCatalogue(
    {
      models: [
        {
          id: 'judge',
          kind: 'decision',
          description: 'Decides.',
          releaseDate: '2026-01-31',
          upstream: { baseUrl, model: 'upstream-judge', apiKeyEnv: 'KEY' },
          price: { inputPerMillionTokens: 0.1 },
          contextTokens,
          energy: { watts: 700, batch: 16, pue: 1.2 },
        },
        {
          id: 'elsewhere',
          kind: 'decision',
          upstream: { baseUrl, model: 'upstream-elsewhere', path: '/v1/decide/now' },
          price: { inputPerMillionTokens: 0.1 },
        },
        {
          id: 'native',
          kind: 'decision',
          engine: 'openai_decisions',
          upstream: { baseUrl: `${baseUrl}/v1`, model: 'upstream-native', apiKeyEnv: 'KEY' },
          price: { inputPerMillionTokens: 0.1, cachedInputPerMillionTokens: 0.01 },
        },
        {
          id: 'no-addresses',
          kind: 'decision',
          engine: 'openai_decisions',
          imageUrls: 'refuse',
          upstream: { baseUrl: `${baseUrl}/v1`, model: 'upstream-native' },
          price: { inputPerMillionTokens: 0.1 },
        },
        {
          id: 'writer',
          kind: 'chat',
          upstream: { baseUrl, model: 'x' },
          price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
        },
        ...models,
      ],
      roles: { decision: 'judge', reasoning: 'writer' },
    },
    () => 'upstream-secret',
  );

/** The decision and model routes over real HTTP, an embedded DynamoDB and an account that has 10 EUR. */
export async function startDecisionService(options: ServiceOptions = {}): Promise<DecisionService> {
  const [dynamo, upstream] = await Promise.all([startTestDynamo(), startUpstream()]);
  const accounts = testAccounts(dynamo, options);
  const { key, keyId, accountId } = await newTestAccount(accounts);
  const deferred: Charge[] = [];
  const log: LogFields[] = [];
  const timers = new Set<() => void>();
  const startTimer: StartTimer = (_, end) => {
    timers.add(end);
    return () => timers.delete(end);
  };
  const deps: DecisionDeps = {
    accounts,
    catalogue: catalogueOf(upstream.url, options.contextTokens ?? 16_384, options.models),
    location: options.location ?? 'eu',
    clock: Object.assign(() => accounts.clock(), { startTimer, wait: async () => {} }),
    log: createLog((line) => void log.push(JSON.parse(line))),
    carbonIntensity: async () => 250,
    deferCharge: async (charge) => void deferred.push(charge),
  };
  const { baseUrl, close } = await listen(deps);
  return {
    baseUrl,
    deps,
    clock: accounts.clock,
    dynamo,
    upstream,
    key,
    keyId,
    accountId,
    deferred,
    log,
    endTime() {
      for (const end of timers) end();
    },
    post: (body, { path = '/v1/systemone', key: other = key, headers } = {}) =>
      fetch(baseUrl + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${other}`, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    newKey: async (credits, subscription) => (await newTestAccount(accounts, { credits, subscription })).key,
    async ledger() {
      await whenSettled(accounts);
      const { entries } = await listEntries(accounts, { accountId }, { limit: 100 });
      return entries.filter(({ kind }) => kind === 'decision');
    },
    close: async () => void (await Promise.all([close(), upstream.close(), dynamo.close()])),
  };
}

async function listen(deps: DecisionDeps): Promise<{ baseUrl: string; close(): Promise<unknown> }> {
  const app = createApp({ log: deps.log });
  app.route('/', decisionRoutes(deps));
  const skills = { ...deps.accounts, skillsEnabled: true, providerScope: 'provider' };
  app.route('/', chatRoutes({ ...deps, skills, web: { allowedHosts: new Set() } }));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
      return once(server, 'close');
    },
  };
}

/** A valid request body. */
export const simpleBody = { model: 'judge', state: 'x', questions: { late: { type: 'noul' } } };
