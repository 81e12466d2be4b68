import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { showCredits } from '@errand/money';
import type { Clock } from '@errand/platform';
import { accountsDeps, createWholeApp, type ServiceDeps } from '@errand/service';
import { parseEvents, type RunEvent } from '../../support/service.ts';
import { closeParts, type Ground, groundParts, type Queues } from './ground.ts';

/** The charges of a run, without the ids and times that differ from run to run. */
export interface Charged {
  /** The ids of the ledger's entries without the run's id, sorted. */
  ids: string[];
  sumNanoEuro: number;
  /** What was not charged because nothing could be set aside for it. */
  writtenOffNanoEuro: number;
  /** The decrease of the account's balance. */
  spentNanoEuro: number;
}

/** The service's API with a queue and an account of its own, for one test case. */
export interface Desk {
  parts: ServiceDeps;
  queues: Queues;
  accountId: string;
  key: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  start(body: object): Promise<string>;
  /** Follows a run to its end. */
  follow(agentId: string): Promise<RunEvent[]>;
  /** The run's item, as far as it concerns the work on it. */
  record(
    agentId: string,
  ): Promise<{ deaths: number; status: string; leaseToken?: string; waitsUntilMilliseconds?: number }>;
  /** The events committed so far. */
  events(agentId: string): Promise<RunEvent[]>;
  read(
    agentId: string,
  ): Promise<{ status: string; error?: string; result?: string; usage: { credits: string } }>;
  charged(agentId: string): Promise<Charged>;
  /** A second API with the same account and, by default, the same queue and clock. */
  colleague(clock?: Clock, queues?: Queues): Promise<Desk>;
  /** The API for another account, on the same queue. */
  as(account: { accountId: string; key: string }): Desk;
  close(): void;
}

const startNanoEuro = 10_000_000_000;

export async function openDesk(ground: Ground, clock?: Clock): Promise<Desk> {
  const [queues, account] = await Promise.all([ground.newQueues(), ground.newAccount()]);
  return deskAt(ground, queues, account, clock);
}

function deskAt(
  ground: Ground,
  queues: Queues,
  { accountId, key }: { accountId: string; key: string },
  clock?: Clock,
): Desk {
  const parts = groundParts(ground.settings, queues, clock);
  const app = createWholeApp(parts);
  const request: Desk['request'] = async (path, init = {}) =>
    app.request(path, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers },
    });
  const path = (agentId: string) => `/v1/agents/runs/${agentId}`;
  return {
    parts,
    queues,
    accountId,
    key,
    request,
    async start(body) {
      const response = await request('/v1/agents/runs', { method: 'POST', body: JSON.stringify(body) });
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      return ((await response.json()) as { agentId: string }).agentId;
    },
    async follow(agentId) {
      return parseEvents(await (await request(`${path(agentId)}/stream`)).text());
    },
    async record(agentId) {
      const Key = { pk: `RUN#${agentId}`, sk: 'RUN' };
      const command = new GetCommand({ TableName: parts.tables.runs, Key, ConsistentRead: true });
      return (await parts.aws.dynamodb.send(command)).Item as Awaited<ReturnType<Desk['record']>>;
    },
    async events(agentId) {
      const page = (await (await request(`${path(agentId)}/events`)).json()) as {
        events: { id: number; event: { type: string } }[];
      };
      return page.events.map(({ id, event }) => ({ id, ...event }));
    },
    read: async (agentId) =>
      (await (await request(path(agentId))).json()) as Awaited<ReturnType<Desk['read']>>,
    async charged(agentId) {
      const { balanceNanoEuro, entries } = await showCredits(accountsDeps(parts), { accountId });
      const own = entries.filter(({ runId }) => runId === agentId);
      return {
        ids: own.map(({ id }) => id.replace(`${agentId}:`, '')).toSorted(),
        sumNanoEuro: own.reduce((sum, { amountNanoEuro }) => sum - amountNanoEuro, 0),
        writtenOffNanoEuro: own.reduce((sum, { writtenOffNanoEuro = 0 }) => sum + writtenOffNanoEuro, 0),
        spentNanoEuro: startNanoEuro - balanceNanoEuro,
      };
    },
    colleague: async (otherClock = clock, otherQueues = queues) =>
      deskAt(ground, otherQueues, { accountId, key }, otherClock),
    as: (account) => deskAt(ground, queues, account, clock),
    close: () => closeParts(parts),
  };
}
