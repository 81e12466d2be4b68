import { type AccountsDeps, createKey } from '@errand/accounts';
import { createAwsClients, createSealer, localCredentials, localRegion, silentLog } from '@errand/platform';
import { webhookRoutes } from '@errand/webhooks';
import type { SenderDeps } from '@errand/webhooks/testing';
import { handleQueued } from '@errand/webhooks/testing';
import type { Hono } from 'hono';
import { type HeldClock, heldClock, newTestAccount } from '../../support/accounts.ts';
import type { TestDynamo } from '../../support/dynamodb.ts';

/** Where webhooks are sent from, on a clock that the test holds. Its queue is a list: a message is due when the clock says so. */
export interface PostOffice {
  deps: SenderDeps & { clock: HeldClock };
  /** What is queued, with the time at which it may be received. */
  queue: { body: string; at: number }[];
  /** The groups of all that was ever queued. */
  groups: Set<string | undefined>;
  accountId: string;
  keyId: string;
  key: string;
  request(path: string, method?: string, body?: object, key?: string): Promise<Response>;
  newKey(): Promise<string>;
  /** Handles what is due, and then what that has queued for now. */
  sendDue(): Promise<void>;
  /** Moves the clock from message to message until the queue is empty, for so long at most. Returns the time that passed. */
  sendAll(mostMilliseconds?: number): Promise<number>;
}

const storeSecret = 'a secret of this post office alone';

export async function openPostOffice(
  dynamo: TestDynamo,
  {
    allowedHosts = [],
    credits = '10',
    more = {},
  }: { allowedHosts?: string[]; credits?: string; more?: object } = {},
): Promise<PostOffice> {
  const clock = heldClock();
  const queue: PostOffice['queue'] = [];
  const groups: PostOffice['groups'] = new Set();
  const { sqs } = createAwsClients({ region: localRegion, credentials: localCredentials, endpoints: {} });
  sqs.middlewareStack.add(
    () => async (args) => {
      const {
        MessageBody: body,
        MessageGroupId: group,
        DelaySeconds = 0,
      } = args.input as { MessageBody: string; MessageGroupId?: string; DelaySeconds?: number };
      groups.add(group);
      queue.push({ body, at: clock() + DelaySeconds * 1000 });
      return { output: { $metadata: {} }, response: {} } as never;
    },
    { step: 'initialize' },
  );
  const { dynamodb, tables } = dynamo;
  const store = { dynamodb, tables, clock, log: silentLog };
  const accounts: AccountsDeps = { ...store, rateLimitRequests: 1e6 };
  const { accountId, keyId, key } = await newTestAccount(accounts, { credits });
  const web = { allowedHosts: new Set(allowedHosts) };
  const sealer = createSealer([storeSecret]);
  const deps = { ...store, sealer, sqs, webhookQueueUrl: 'http://queue/webhooks', web, ...more };
  const app: Hono = webhookRoutes({ ...deps, accounts }) as never;
  const office: PostOffice = {
    deps,
    queue,
    groups,
    accountId,
    keyId,
    key,
    request: async (path, method = 'GET', body = undefined, as = key) =>
      app.request(`/v1/webhooks${path}`, {
        method,
        headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      }),
    newKey: async () => (await createKey(accounts, { accountId, label: 'other' })).key,
    async sendDue() {
      for (;;) {
        const due = queue.findIndex(({ at }) => at <= clock());
        const [message] = due === -1 ? [] : queue.splice(due, 1);
        if (!message) return;
        if ((await handleQueued(deps, message.body)) === 'again')
          queue.push({ ...message, at: clock() + 90_000 });
      }
    },
    async sendAll(mostMilliseconds = Number.POSITIVE_INFINITY) {
      const from = clock();
      for (;;) {
        await office.sendDue();
        const next = Math.min(...queue.map(({ at }) => at));
        if (queue.length === 0 || next - from > mostMilliseconds) break;
        clock.advance(next - clock());
      }
      return clock() - from;
    },
  };
  return office;
}
