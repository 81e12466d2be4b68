import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAccount, createKey, createOrganisation, updateOrganisation } from '@errand/accounts';
import { awsSettings, startWorker } from '@errand/local/testing';
import { parseCatalogue } from '@errand/models';
import { parseEuro } from '@errand/money';
import { type Clock, createStoppableServer, readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp, type ServiceDeps, whenCharged } from '@errand/service';
import type { Ground, Queues } from '../../faults/support/ground.ts';
import { parseEvents, type RunEvent } from '../../support/service.ts';
import { type FormEntry, formOf } from '../../uploads/support.ts';
import { billingCatalogue } from './catalogue.ts';
import type { HeldProvider } from './held-provider.ts';
import { type HurriedTimers, hurriedTimers } from './timers.ts';

export interface Caller {
  accountId: string;
  keyId: string;
  key: string;
}

interface Sending {
  key?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** The whole service over HTTP with a queue of its own, and an account with 10 EUR. */
export interface House {
  parts: ServiceDeps;
  provider: HeldProvider;
  caller: Caller;
  timers: HurriedTimers;
  queues: Queues;
  request(path: string, init?: RequestInit & { key?: string }): Promise<Response>;
  post(path: string, body: object, sending?: Sending): Promise<Response>;
  chat(body?: object, sending?: Sending): Promise<Response>;
  form(entries: FormEntry[], sending?: Sending): Promise<Response>;
  /** Starts a run, and throws if it is not accepted. */
  run(body?: object, sending?: Sending): Promise<string>;
  read(agentId: string, key?: string): Promise<RunView>;
  cancel(agentId: string, key?: string): Promise<void>;
  /** Follows a run to its end. */
  follow(agentId: string, key?: string): Promise<RunEvent[]>;
  startWorker(): Promise<{ stop(): Promise<void>; force(): void }>;
  newCaller(options?: NewCaller): Promise<Caller & { organisationId?: string }>;
  /** Stops the API, without its grace. */
  stopApi(): Promise<void>;
  /** The same service in another process, with a clock or with settings of its own. */
  open(options?: HouseOptions): Promise<House>;
  /** What `GET /v1/credits` says is reserved, in EUR. */
  reserved(key?: string): Promise<string>;
  /** Makes the next commands of this name wait until they are let go. */
  holdStore(command: string): HeldStore;
  /** From now on nothing of this process reaches the store or the queue, as if it had died. */
  die(): void;
  /** The process dies before its next write number `count`, from 1 on, or once that is carried out. Returns how many it has sent. */
  dieAtWrite(count: number, moment: 'before' | 'after'): () => number;
  close(): Promise<void>;
}

interface HeldStore {
  /** Resolves when the first command waits. */
  asked: Promise<void>;
  open(): void;
}

export interface RunView {
  status: string;
  error?: string;
  result?: string;
  stopReason?: string;
  citations?: { support?: number }[];
  usage: { credits: string; inputTokens: number; completions?: number };
}

interface NewCaller {
  credits?: string;
  /** An organisation with a subscription, whose ceiling this is. */
  ceiling?: string;
}

export interface HouseOptions {
  clock?: Clock;
  env?: Record<string, string>;
  /** Prices of the reasoning model. */
  price?: object;
  queues?: Queues;
  caller?: Caller;
  /** The credits of a new account, which is made if no caller is given. */
  credits?: string;
}

/** Opens the service on the AWS of a ground. */
export async function openHouse(
  ground: Ground,
  provider: HeldProvider,
  options: HouseOptions = {},
): Promise<House> {
  const { clock = systemClock } = options;
  const queues = options.queues ?? (await ground.newQueues());
  const timers = hurriedTimers();
  const parts = createServiceDeps({
    config: {
      ...readConfig('local', {
        RATE_LIMIT_REQUESTS: '1000000',
        LINK_SECRET: 'a secret that every process here knows',
        STORE_SECRET: 'a secret of the store that every process here knows',
        FETCH_ALLOWED_HOSTS: provider.host,
        RUN_LEASE_SECONDS: '2',
        ...options.env,
      }),
      aws: awsSettings(ground.settings.endpoints, queues),
    },
    catalogue: parseCatalogue(billingCatalogue(provider.url, options.price), () => undefined),
    clock: Object.assign(() => clock(), { startTimer: timers.startTimer, wait: async () => {} }),
    log: silentLog,
  });
  const store = { dynamodb: parts.aws.dynamodb, tables: parts.tables, clock };
  const newCaller: House['newCaller'] = async ({ credits = '10', ceiling } = {}) => {
    const organisation =
      ceiling === undefined
        ? undefined
        : await createOrganisation(store, { name: 'billing', subscription: true });
    if (organisation && ceiling !== undefined)
      await updateOrganisation(store, { ...organisation, ceilingNanoEuro: parseEuro(ceiling) ?? 0 });
    const { accountId } = await createAccount(store, {
      name: 'billing',
      creditsNanoEuro: parseEuro(credits) ?? 0,
      ...organisation,
    });
    const { keyId, key } = await createKey(store, { accountId, label: 'billing' });
    return { accountId, keyId, key, ...organisation };
  };
  const { credits } = options;
  const caller = options.caller ?? (await newCaller({ credits }));
  const draining = new AbortController();
  const app = createWholeApp(parts, { draining: draining.signal });
  const api = createStoppableServer(app.fetch, silentLog);
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');
  const baseUrl = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  const workers: { stop(): Promise<void>; force(): void }[] = [];
  let stopped: Promise<void> | undefined;
  const request: House['request'] = (path, { key = caller.key, ...init } = {}) =>
    fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  const post: House['post'] = (path, body, { headers, ...sending } = {}) =>
    request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
      ...sending,
    });
  const run: House['run'] = async (body = {}, sending) => {
    const response = await post('/v1/agents/runs', { question: 'Why?', ...body }, sending);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { agentId: string }).agentId;
  };
  const house: House = {
    parts,
    provider,
    caller,
    timers,
    queues,
    request,
    post,
    chat: (body = {}, sending) => post('/v1/chat/completions', { ...question, ...body }, sending),
    form: (entries, sending) =>
      request('/v1/agents/runs', { method: 'POST', body: formOf(...entries), ...sending }),
    run,
    async read(agentId, key) {
      const response = await request(`/v1/agents/runs/${agentId}`, key === undefined ? {} : { key });
      return (await response.json()) as RunView;
    },
    async cancel(agentId, key = caller.key) {
      const response = await request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST', key });
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    },
    async follow(agentId, key) {
      const response = await request(`/v1/agents/runs/${agentId}/stream`, key === undefined ? {} : { key });
      return parseEvents(await response.text());
    },
    async startWorker() {
      const worker = await startWorker(parts, queues, { resend: false });
      workers.push(worker);
      return worker;
    },
    newCaller,
    stopApi() {
      stopped ??= stopNow(parts, api, draining);
      return stopped;
    },
    open: (more = {}) => openHouse(ground, provider, { queues, caller, ...more }),
    async reserved(key = caller.key) {
      return ((await (await request('/v1/credits', { key })).json()) as { reserved: string }).reserved;
    },
    holdStore: (command) => holdStore(parts, command),
    die() {
      for (const { middlewareStack } of [parts.aws.dynamodb, parts.aws.sqs])
        (middlewareStack as typeof parts.aws.dynamodb.middlewareStack).add(() => dead, {
          step: 'initialize',
          name: 'die',
          override: true,
        });
    },
    dieAtWrite: (count, moment) => dieAtWrite(house, count, moment),
    async close() {
      for (const worker of workers) {
        const stopping = worker.stop();
        worker.force();
        await stopping;
      }
      await house.stopApi();
      parts.aws.dynamodb.destroy();
      parts.aws.sqs.destroy();
    },
  };
  return house;
}

async function stopNow(
  parts: ServiceDeps,
  api: ReturnType<typeof createStoppableServer>,
  draining: AbortController,
): Promise<void> {
  draining.abort();
  const stopping = api.stop();
  api.force();
  await stopping;
  await whenCharged(parts);
}

const question = { model: 'writer', messages: [{ role: 'user', content: 'Say hello' }] };

const dead = () => Promise.reject(new Error('dead'));

function dieAtWrite({ parts, die }: House, count: number, moment: 'before' | 'after'): () => number {
  let writes = 0;
  parts.aws.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (!isWrite.test(context.commandName ?? '')) return next(args);
      writes++;
      if (writes === count) die();
      if (writes === count && moment === 'before') return dead();
      const answer = await next(args);
      return writes === count ? dead() : answer;
    },
    { step: 'initialize', name: 'die at', override: true },
  );
  return () => writes;
}

const isWrite = /^(Put|Update|Delete|TransactWrite)/;

function holdStore({ aws }: ServiceDeps, command: string): HeldStore {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  aws.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === command) {
        asked.resolve();
        await gate.promise;
      }
      return next(args);
    },
    { step: 'initialize', name: 'hold', override: true },
  );
  return { asked: asked.promise, open: gate.resolve };
}
