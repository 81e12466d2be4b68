import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccount, createKey, createOrganisation } from '@errand/accounts';
import { startLocal } from '@errand/local';
import { parseEuro } from '@errand/money';
import {
  type Clock,
  createAwsClients,
  type Log,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  silentLog,
  systemClock,
} from '@errand/platform';
import { createParser } from 'eventsource-parser';

export interface RunEvent {
  id: number;
  type: string;
  [field: string]: unknown;
}

export interface TestService {
  baseUrl: string;
  apiKey: string;
  accountId: string;
  dataDir: string;
  clients: ReturnType<typeof createAwsClients>;
  /** Sends a request with the first key unless another one is given. */
  request(path: string, init?: RequestInit & { key?: string }): Promise<Response>;
  post(
    path: string,
    body: unknown,
    options?: { key?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  /** Starts a run, and throws if it is not accepted. */
  start(body: object, key?: string): Promise<string>;
  /** Follows a run to its end, and resolves with its events. */
  follow(agentId: string, options?: { key?: string; after?: number }): Promise<RunEvent[]>;
  read(agentId: string, key?: string): Promise<Record<string, unknown>>;
  newAccount(
    credits?: string,
    options?: { subscription?: boolean },
  ): Promise<{ accountId: string; key: string }>;
  newKey(accountId: string): Promise<string>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  env?: Record<string, string>;
  catalogue?: object;
  dataDir?: string;
  clock?: Clock;
  log?: Log;
}

/** One provider for reasoning and vision. The writer's prices are easy to add up: 1,000 and 2,000 nano-euro a token. */
export const simpleCatalogue = (baseUrl: string, extra: { models?: object[]; roles?: object } = {}) => ({
  models: [
    {
      id: 'writer',
      kind: 'chat',
      description: 'A scripted model.',
      upstream: { baseUrl, model: 'upstream-writer' },
      price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2, cachedInputPerMillionTokens: 0.5 },
      compressed: true,
      contextTokens: 32_768,
    },
    {
      id: 'eyes',
      kind: 'vision',
      description: 'A scripted vision model.',
      upstream: { baseUrl, model: 'upstream-eyes' },
      price: { inputPerMillionTokens: 3, outputPerMillionTokens: 4 },
      contextTokens: 32_768,
    },
    ...(extra.models ?? []),
  ],
  roles: { reasoning: 'writer', vision: 'eyes', ...extra.roles },
});

/** The whole service in this process, on a data folder of its own. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'errand-test-')));
  const env: Record<string, string> = {
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMIT_REQUESTS: '1000000',
    ...options.env,
  };
  if (options.catalogue) {
    env.MODEL_CATALOGUE = path.join(dataDir, 'catalogue.json');
    await writeFile(env.MODEL_CATALOGUE, JSON.stringify(options.catalogue));
  }
  const local = await startLocal({
    config: readConfig('local', env),
    log: options.log ?? silentLog,
    clock: options.clock,
    onExit: (reason) => {
      throw new Error(reason);
    },
  });
  const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    apiKey: string;
    accountId: string;
    endpoints: { dynamodb: string; sqs: string; s3: string };
  };
  const clients = createAwsClients({
    region: localRegion,
    credentials: localCredentials,
    endpoints: service.endpoints,
  });
  const store = { dynamodb: clients.dynamodb, tables: localTableNames, clock: systemClock };
  const request: TestService['request'] = (route, { key = service.apiKey, ...init } = {}) =>
    fetch(`${service.baseUrl}${route}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  const post: TestService['post'] = (route, body, { key, headers } = {}) =>
    request(route, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
      key: key || undefined,
    });
  return {
    ...service,
    dataDir,
    clients,
    request,
    post,
    async start(body, key) {
      const response = await post('/v1/agents/runs', body, key === undefined ? {} : { key });
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      return ((await response.json()) as { agentId: string }).agentId;
    },
    async follow(agentId, { key, after } = {}) {
      const response = await request(`/v1/agents/runs/${agentId}/stream`, {
        headers: {
          Accept: 'text/event-stream',
          ...(after !== undefined && { 'Last-Event-ID': String(after) }),
        },
        key: key || undefined,
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return parseEvents(await response.text());
    },
    async read(agentId, key) {
      const response = await request(`/v1/agents/runs/${agentId}`, key === undefined ? {} : { key });
      return (await response.json()) as Record<string, unknown>;
    },
    async newAccount(credits = '10', { subscription } = {}) {
      const organisation = subscription
        ? await createOrganisation(store, { name: 'test', subscription })
        : undefined;
      const { accountId } = await createAccount(store, {
        name: 'test',
        creditsNanoEuro: parseEuro(credits) ?? 0,
        ...organisation,
      });
      return { accountId, key: (await createKey(store, { accountId, label: 'test' })).key };
    },
    newKey: async (accountId) => (await createKey(store, { accountId, label: 'test' })).key,
    async stop() {
      clients.dynamodb.destroy();
      clients.sqs.destroy();
      await local.stop();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The events of a server-sent stream with their ids. Throws if an event's name differs from its `type`. */
export function parseEvents(text: string): RunEvent[] {
  const events: RunEvent[] = [];
  const parser = createParser({
    onEvent({ id, event, data }) {
      const payload = JSON.parse(data) as { type: string };
      if (payload.type !== event) throw new Error(`event ${event} carries type ${payload.type}`);
      events.push({ id: Number(id), ...payload });
    },
  });
  parser.feed(text);
  return events;
}
