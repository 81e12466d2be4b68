import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countUnrouted } from '@errand/accounts';
import { chatRoutes } from '@errand/chat';
import { messagesRoutes, modelsInOwnWords } from '@errand/messages';
import { type Catalogue, parseCatalogue } from '@errand/models';
import {
  type Charge,
  type LedgerEntry,
  listEntries,
  type Purse,
  readAccountPurse,
  whenSettled,
} from '@errand/money';
import { createApp, createLog, type LogFields } from '@errand/platform';
import { type ResponsesDeps, responsesRoutes } from '@errand/responses';
import { serve } from '@hono/node-server';
import { createParser } from 'eventsource-parser';
import { type HeldClock, newTestAccount, testAccounts } from '../../support/accounts.ts';
import { startTestBucket, type TestBucket } from '../../support/bucket.ts';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';

export const secretKey = 'sk-upstream-secret-0123456789';

export interface ChatService {
  baseUrl: string;
  deps: ResponsesDeps;
  clock: HeldClock;
  dynamo: TestDynamo;
  bucket: TestBucket;
  app: ReturnType<typeof createApp>;
  key: string;
  accountId: string;
  deferred: Charge[];
  log: LogFields[];
  post(
    body: unknown,
    options?: { key?: string; signal?: AbortSignal; path?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  get(path: string, key?: string): Promise<Response>;
  /** After all charges in the background are settled. */
  ledger(account?: { accountId: string }): Promise<LedgerEntry[]>;
  /** As it is stored, after all charges in the background are settled. */
  purse(account?: { accountId: string }): Promise<Purse>;
  /** Makes the next commands of this name wait. */
  holdCommand(name: string): { asked: Promise<void>; open(): void };
  close(): Promise<void>;
}

/** One chat model with its fallbacks, priced so that amounts are easy to read: 1,000 and 2,000 nano-euro a token. */
export function chatCatalogue(baseUrl: string, fallbacks: string[] = []): Catalogue {
  const upstream = (url: string) => ({ baseUrl: url, model: 'upstream-writer', apiKeyEnv: 'KEY' });
  return parseCatalogue(
    {
      models: [
        {
          id: 'writer',
          kind: 'chat',
          description: 'Writes.',
          ownedBy: 'somebody',
          releaseDate: '2026-01-31',
          upstream: upstream(baseUrl),
          fallbacks: fallbacks.map(upstream),
          price: { inputPerMillionTokens: 1, cachedInputPerMillionTokens: 0.5, outputPerMillionTokens: 2 },
          energy: { watts: 700, batch: 16, pue: 1.2 },
        },
        {
          id: 'eyes',
          kind: 'vision',
          upstream: upstream(baseUrl),
          price: { inputPerMillionTokens: 3, outputPerMillionTokens: 4 },
          compressed: false,
        },
        { id: 'ears', kind: 'speech', upstream: upstream(baseUrl), price: { perSecond: 0.0001 } },
        { id: 'judge', kind: 'decision', upstream: upstream(baseUrl), price: { inputPerMillionTokens: 0.1 } },
      ],
      roles: { reasoning: 'writer' },
    },
    () => secretKey,
  );
}

/** No test here asks for a run. */
const noRuns = {} as ResponsesDeps['runs'];

/** The chat routes over real HTTP and an embedded DynamoDB, with an account that has 10 EUR. */
export async function startChatService(
  catalogue: Catalogue,
  options: { rateLimitRequests?: number; allowedHosts?: ReadonlySet<string> } = {},
): Promise<ChatService> {
  const dynamo = await startTestDynamo();
  const accounts = testAccounts(dynamo, options);
  const { clock } = accounts;
  const { key, accountId } = await newTestAccount(accounts);
  const deferred: Charge[] = [];
  const lines: LogFields[] = [];
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  const bucket = await startTestBucket();
  clock.wait = async () => {};
  const deps: ResponsesDeps = {
    accounts,
    dynamodb: dynamo.dynamodb,
    tables: dynamo.tables,
    files: bucket.files,
    skills: { ...accounts, skillsEnabled: true, providerScope: 'provider' },
    catalogue,
    web: { allowedHosts: options.allowedHosts ?? new Set() },
    clock,
    log,
    carbonIntensity: async () => 253,
    deferCharge: async (charge) => void deferred.push(charge),
    runs: noRuns,
  };
  const app = createApp({ log, countUnrouted: countUnrouted(accounts) });
  app.use('/v1/models/*', modelsInOwnWords);
  app.route('/', chatRoutes(deps));
  app.route('/', responsesRoutes(deps));
  app.route('/', messagesRoutes(deps));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    deps,
    clock,
    dynamo,
    bucket,
    app,
    key,
    accountId,
    deferred,
    log: lines,
    post: (body, { key: other = key, signal, path = '/v1/chat/completions', headers } = {}) =>
      fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${other}`, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal,
      }),
    get: (path, other = key) => fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${other}` } }),
    async ledger(account = { accountId }) {
      await whenSettled(accounts);
      return (await listEntries(accounts, { accountId: account.accountId }, { limit: 100 })).entries;
    },
    async purse(account = { accountId }) {
      await whenSettled(accounts);
      return readAccountPurse(accounts, account.accountId);
    },
    holdCommand: (name) => holdCommand(dynamo, name),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await bucket.close();
      await dynamo.close();
    },
  };
}

function holdCommand({ dynamodb }: TestDynamo, name: string): { asked: Promise<void>; open(): void } {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === name) {
        asked.resolve();
        await gate.promise;
      }
      return next(args);
    },
    { step: 'initialize', name: 'holdCommand', override: true },
  );
  return { asked: asked.promise, open: gate.resolve };
}

interface ReadStream {
  /** The data of every event, parsed, without `[DONE]`. */
  chunks: ReadChunk[];
  done: boolean;
  comments: string[];
  text: string;
  raw: string;
}

interface ReadChunk {
  id: string;
  model: string;
  choices: {
    delta: { content?: string; role?: string; tool_calls?: unknown };
    finish_reason: string | null;
  }[];
  usage?: typeof import('./chunks.ts').upstreamUsage | null;
  impact?: { version: string; energy: { total: number }; emissions: { total: number } };
  error?: { message: string; type: string; param: string | null; code: string | null };
}

/** Reads a whole stream by the standard's parser, not by ours. */
export function readChunks(raw: string): ReadStream {
  const stream: ReadStream = { chunks: [], done: false, comments: [], text: '', raw };
  const parser = createParser({
    onEvent({ data }) {
      if (stream.done) throw new Error('something came after [DONE]');
      if (data === '[DONE]') stream.done = true;
      else stream.chunks.push(JSON.parse(data));
    },
    onComment: (comment) => void stream.comments.push(comment),
  });
  parser.feed(raw);
  stream.text = stream.chunks.map((one) => one.choices?.[0]?.delta?.content ?? '').join('');
  return stream;
}
