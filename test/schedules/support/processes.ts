import { type AccountsDeps, createKey } from '@errand/accounts';
import { parseCatalogue } from '@errand/models';
import {
  type HttpEnv,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  silentLog,
  updateItem,
} from '@errand/platform';
import {
  createAreaApp,
  createServiceDeps,
  mountAgents,
  type ServiceDeps,
  scheduleTicker,
} from '@errand/service';
import type { Pluggable } from '@smithy/types';
import type { Hono } from 'hono';
import { type HeldClock, newTestAccount } from '../../support/accounts.ts';
import type { TestDynamo } from '../../support/dynamodb.ts';
import { simpleCatalogue } from '../../support/service.ts';

/** A process that looks after schedules, and serves their routes, with its own connection to the store. Nothing works on its runs. */
export interface Process {
  parts: ServiceDeps;
  tick(): Promise<void>;
  /** Nothing reaches the store or a queue any more after so many requests. */
  dieAfter(requests: number): void;
  /** The answer to the one after so many requests gets lost. */
  loseAnswerAfter(requests: number): void;
  /** How many requests it has sent. */
  requests(): number;
  request(path: string, method?: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  close(): void;
}

export interface Caller {
  accountId: string;
  keyId: string;
  key: string;
}

export interface ProcessOptions {
  clock: HeldClock;
  caller: Caller;
  catalogue?: object;
  env?: Record<string, string>;
  /** How far its clock is ahead. */
  skewMilliseconds?: number;
}

export function startProcess(dynamo: TestDynamo, options: ProcessOptions): Process {
  const { clock, caller, skewMilliseconds = 0 } = options;
  const catalogue = options.catalogue ?? simpleCatalogue('http://127.0.0.1:1');
  const parts = createServiceDeps({
    config: {
      ...readConfig('local', { RATE_LIMIT_REQUESTS: '1000000', ...options.env }),
      linkSecret: 'a secret of thirty-two characters',
      storeSecrets: ['another secret of thirty-two characters'],
      aws: {
        region: localRegion,
        credentials: localCredentials,
        endpoints: { dynamodb: dynamo.endpoint },
        tables: localTableNames,
        queueUrl: 'http://queue/runs',
        webhookQueueUrl: 'http://queue/webhooks',
        bucket: 'errand-files',
      },
    },
    catalogue: parseCatalogue(catalogue, () => undefined),
    clock: Object.assign(() => clock() + skewMilliseconds, { wait: async () => {} }),
    log: silentLog,
  });
  let sent = 0;
  let last = Number.POSITIVE_INFINITY;
  let lost = Number.POSITIVE_INFINITY;
  const counted = (answer?: object): Pluggable<object, object> => ({
    applyToStack: (stack) =>
      stack.add(
        (next) => async (args) => {
          const request = sent++;
          if (request >= last) throw new Error('the process is dead');
          const answered = answer ?? (await next(args));
          if (request === lost) throw new Error('socket hang up');
          return answered as never;
        },
        { step: 'initialize', priority: 'high', name: 'countAndDie' },
      ),
  });
  parts.aws.dynamodb.middlewareStack.use(counted() as never);
  // What is queued is taken by nobody.
  parts.aws.sqs.middlewareStack.use(counted({ output: { $metadata: {} }, response: {} }) as never);
  const tick = scheduleTicker(parts);
  const app: Hono<HttpEnv> = createAreaApp(parts);
  mountAgents(app, parts);
  return {
    parts,
    tick: () => tick(),
    dieAfter(requests) {
      sent = 0;
      last = requests;
    },
    loseAnswerAfter(requests) {
      sent = 0;
      lost = requests;
    },
    requests: () => sent,
    request: async (path, method = 'GET', body = undefined, headers = {}) =>
      app.request(path, {
        method,
        headers: { Authorization: `Bearer ${caller.key}`, 'Content-Type': 'application/json', ...headers },
        body: body && JSON.stringify(body),
      }),
    close() {
      parts.aws.dynamodb.destroy();
      parts.aws.sqs.destroy();
    },
  };
}

/** Does something before the transaction that starts a run, or at its end, before its process hears of it. */
export function onStart(of: Process, then: () => unknown, moment: 'before' | 'after' = 'after'): void {
  const left = [then];
  of.parts.aws.dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const isStart = commandName.startsWith('Transact') && JSON.stringify(args.input).includes('"RUN"');
        if (isStart && moment === 'before') await left.pop()?.();
        const answer = await next(args);
        if (isStart && moment === 'after') await left.pop()?.();
        return answer;
      },
    { step: 'initialize', name: `onStart ${moment}` },
  );
}

export const newCaller = async (
  dynamo: TestDynamo,
  clock: HeldClock,
  options: Parameters<typeof newTestAccount>[1] = {},
): Promise<Caller> => newTestAccount(depsOf(dynamo, clock), options);

export const depsOf = (dynamo: TestDynamo, clock: HeldClock): AccountsDeps => ({
  dynamodb: dynamo.dynamodb,
  tables: dynamo.tables,
  clock,
  log: silentLog,
  rateLimitRequests: 1_000_000,
});

export const newKey = async (dynamo: TestDynamo, clock: HeldClock, accountId: string): Promise<Caller> => ({
  accountId,
  ...(await createKey(depsOf(dynamo, clock), { accountId, label: 'other' })),
});

/** Ends a run as its worker would. */
export async function endRun(
  { dynamodb, tables }: TestDynamo,
  agentId: string,
  status: string,
  result?: string,
): Promise<void> {
  await updateItem(
    { dynamodb },
    {
      TableName: tables.runs,
      Key: { pk: `RUN#${agentId}`, sk: 'RUN' },
      UpdateExpression: 'SET #status = :status, #result = :result',
      ExpressionAttributeNames: { '#status': 'status', '#result': 'result' },
      ExpressionAttributeValues: { ':status': status, ':result': result ?? '' },
    },
  );
}
