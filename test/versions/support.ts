import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { countUnrouted } from '@errand/accounts';
import { createApp, type Principal, silentLog } from '@errand/platform';
import { createAdaptorServer } from '@hono/node-server';
import { expect } from 'vitest';
import { type HeldClock, newTestAccount, testAccounts } from '../support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';
import type { Deps, Detail, Summary, TestedKind } from './kinds.ts';

interface Sent {
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  text?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parses the body as JSON. */
  json<T = Detail>(): T;
}

export type Caller = Principal & {
  key: string;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  list(): Promise<Summary[]>;
  create(input: { name: string; instructions: string; description?: string }): Promise<Detail>;
};

export interface NamedService {
  kind: TestedKind;
  dynamo: TestDynamo;
  deps: Deps & { clock: HeldClock };
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Creates an account with a key; with `organisation`, in a new organisation. */
  newCaller(options?: { organisation?: boolean }): Promise<Caller>;
  close(): Promise<void>;
}

/** The routes of a kind on a port of their own, with an embedded DynamoDB and a clock that the test moves. */
export async function startService(
  kind: TestedKind,
  options: { off?: boolean; providerScope?: string; rateLimitRequests?: number } = {},
): Promise<NamedService> {
  const dynamo = await startTestDynamo();
  const { rateLimitRequests = 100_000, providerScope = 'provider' } = options;
  const accounts = testAccounts(dynamo, { rateLimitRequests });
  const web = { allowedHosts: new Set<string>() };
  const on = { ...accounts, skillsEnabled: true, agentsEnabled: true, web, providerScope, accounts };
  const deps = { ...on, ...(options.off ? kind.off.deps : {}) };
  const app = createApp({ log: silentLog, countUnrouted: countUnrouted(accounts) });
  app.route('/', kind.routes(deps));
  const server = createAdaptorServer({ fetch: app.fetch }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (method: string, path: string, sent: Sent = {}) => request(base, method, path, sent);
  return {
    kind,
    dynamo,
    deps,
    send,
    newCaller: async ({ organisation = false } = {}) => {
      const account = await newTestAccount(accounts, organisation ? { subscription: false } : {});
      return callerOf(kind, account, send);
    },
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await dynamo.close();
    },
  };
}

function callerOf(
  kind: TestedKind,
  account: Principal & { key: string },
  send: NamedService['send'],
): Caller {
  const authorized: Caller['send'] = (method, path, sent = {}) =>
    send(method, path, { ...sent, headers: { Authorization: `Bearer ${account.key}`, ...sent.headers } });
  return {
    ...account,
    send: authorized,
    async list() {
      const answer = await authorized('GET', kind.path);
      expect(answer.status, answer.text).toBe(200);
      return kind.listed(answer.json());
    },
    async create(input) {
      const answer = await authorized('POST', kind.path, { body: input });
      expect(answer.status, answer.text).toBe(201);
      return answer.json();
    },
  };
}

async function request(base: string, method: string, path: string, sent: Sent): Promise<Answer> {
  const payload = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  const response = await fetch(base + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...sent.headers },
    body: payload,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
