import { type TableDefinition, type TableId, tableDefinitions } from '@errand/platform';
import {
  type Alarm,
  anyOrMost,
  backlog,
  lateOrMissing,
  type Metric,
  metric,
  missing,
  ofStage,
  share,
  shareBeside,
  total,
} from './alarm-metrics.ts';
import type { Functions } from './api.ts';
import { vaultName } from './backups.ts';
import { leastContainers } from './container-shapes.ts';
import { functionShapes } from './functions.ts';
import { hasWorkerContainers } from './network.ts';
import type { FunctionName } from './permissions.ts';
import type { Settings } from './settings.ts';
import type { Stores } from './stores.ts';

type Alarms = Record<string, Alarm>;

export interface Parts {
  stores: Stores;
  functions: Functions;
  /** What stands before the containers for chat. */
  balancer?: $util.Input<aws.lb.LoadBalancer>;
}

/** What the alarms look at of the stage's own region. */
export const stageAlarms = (settings: Settings, { stores, functions, balancer }: Parts): Alarms => ({
  ...requestAlarms(settings, functions),
  ...runAlarms(stores, functions),
  ...containerAlarms(settings, balancer),
  ...backgroundAlarms(functions),
  ...webhookAlarms(stores),
  ...scheduleAlarms(),
  ...tableAlarms(stores),
  ...backupAlarms(settings),
});

const ofFunction = (functions: Functions, name: FunctionName, metricName: string): Metric[] => {
  const found = functions[name];
  return found ? [metric('AWS/Lambda', metricName, { FunctionName: found.name })] : [];
};

const answering = Object.keys(functionShapes).filter(
  (name) => functionShapes[name as FunctionName].paths.length > 0,
) as FunctionName[];

/** Those that callers' documents cannot end. The converter's failures are `DocumentsNotConverted`. */
const background = ['worker', 'webhooks', 'dead-letters'] as const satisfies FunctionName[];

/** Each charge is one value of the metric. */
const charges = () => ofStage('amountNanoEuro', 'SampleCount');

/** Each request is one value of the metric, 0 or 1. */
const requests = () => ofStage('failed', 'SampleCount');

/** AWS adds up ten metrics at most in an alarm. Both sums of all functions have room for another one. */
function requestAlarms({ largeUploads }: Settings, functions: Functions): Alarms {
  const ofAnswering = (metricName: string) =>
    answering.flatMap((name) => ofFunction(functions, name, metricName));
  const ofContainer = (stat: string) => ofStage('failed', stat, { area: 'large-uploads' });
  return {
    ErrorRate: {
      description: 'More than 5 % of the requests were answered with 5xx.',
      threshold: 5,
      periods: 2,
      metrics: share([ofStage('failed')], [requests()], 20),
    },
    FunctionErrors: {
      description: 'Functions that answer requests failed, ran out of time, or broke off a stream: over 5 %.',
      threshold: 5,
      // An invocation that fails before it knows its status is no request of the metric.
      metrics: shareBeside(ofAnswering('Errors'), [requests()], 20),
    },
    FunctionThrottles: {
      description: "The account's or a function's concurrency is used up: over 5 % of requests are refused.",
      threshold: 5,
      metrics: shareBeside(ofAnswering('Throttles'), [requests()], 20),
    },
    ...(largeUploads && {
      LargeUploadErrors: {
        description: 'The container for large uploads answered more than 20 % of its requests with 5xx.',
        threshold: 20,
        minutes: 15,
        metrics: share([ofContainer('Sum')], [ofContainer('SampleCount')], 5),
      },
    }),
    SetUpNotAccepted: {
      description:
        "A model's provider does not accept our key, address or name of the model, or wants money: log `upstream does not accept our set-up`.",
      threshold: 0,
      minutes: 15,
      metrics: anyOrMost(ofStage('notAccepted'), ofStage('notTaken'), charges(), 20),
    },
  };
}

function runAlarms({ queue }: Stores, functions: Functions): Alarms {
  const runs = (outcome: string) => ofStage('runs', 'Sum', { outcome });
  return {
    RunsFailed: {
      description:
        'More than 20 % of the runs failed. Runs that were cancelled, whose input a provider refused, or whose value did not fit, do not count.',
      threshold: 20,
      minutes: 30,
      metrics: shareBeside([runs('failed')], [runs('succeeded'), runs('awaiting_input')], 5),
    },
    RunsInterrupted: {
      description:
        "More than 10 % of the worker's messages failed and come back: log `run interrupted`, `message failed`.",
      threshold: 10,
      minutes: 15,
      metrics: shareBeside([ofStage('interrupted')], [workDone(queue)], 10),
    },
    RunAge: {
      description: 'The oldest message is older than half an hour: runs wait for a worker.',
      threshold: 1_800,
      metrics: total([ofQueue(queue.work, 'ApproximateAgeOfOldestMessage', 'Maximum')]),
    },
    DeadLetterArrived: {
      description: 'A message was given up on: its run ended as failed, or its charge was tried once more.',
      threshold: 0,
      metrics: total(ofFunction(functions, 'dead-letters', 'Invocations')),
    },
    DeadLettersStay: {
      description: 'Dead letters keep coming, or their consumer does not get them done.',
      threshold: 0,
      periods: 3,
      metrics: total(inQueue(queue.deadLetters, 'Maximum')),
    },
  };
}

/**
 * Invocations have many runs each, containers have none, and a message that only waits is received often: each is deleted once, and
 * counts once more where AWS deletes it with its invocation's batch.
 */
const workDone = ({ work }: Stores['queue']): Metric => ofQueue(work, 'NumberOfMessagesDeleted', 'Sum');

function containerAlarms(settings: Settings, balancer: Parts['balancer']): Alarms {
  const fewer = (area: string) => ({
    threshold: 0.5,
    minutes: 10,
    metrics: missing(ofStage('open', 'SampleCount', { area }), leastContainers),
  });
  const ofBalancer = (metricName: string): Metric[] =>
    balancer
      ? [metric('AWS/ApplicationELB', metricName, { LoadBalancer: $util.output(balancer).arnSuffix })]
      : [];
  return {
    ...(balancer && {
      ChatContainersMissing: {
        description: `Fewer containers serve chat than the ${leastContainers} that there must be.`,
        ...fewer('chat'),
      },
      ChatBalancerErrors: {
        description: 'No container for chat took the request, or one broke off before its answer: over 5 %.',
        threshold: 5,
        metrics: shareBeside(ofBalancer('HTTPCode_ELB_5XX_Count'), ofBalancer('RequestCount'), 20),
      },
    }),
    ...(hasWorkerContainers(settings) && {
      WorkerContainersMissing: {
        description: `Fewer containers work on runs than the ${leastContainers} that there must be.`,
        ...fewer('worker'),
      },
    }),
  };
}

function backgroundAlarms(functions: Functions): Alarms {
  const each = (names: readonly FunctionName[], metricName: string) =>
    names.flatMap((name) => ofFunction(functions, name, metricName));
  const all = [...background, 'converter'] as const;
  return {
    BackgroundErrors: {
      description: 'Functions that work on runs and webhooks failed or ran out of time: over 20 %.',
      threshold: 20,
      // The message of a function that always fails comes back every quarter of an hour alone.
      minutes: 60,
      metrics: share(each(background, 'Errors'), each(background, 'Invocations'), 3),
    },
    BackgroundThrottles: {
      description:
        "The account's or a function's concurrency is used up: documents are refused, or runs wait: over 5 %.",
      threshold: 5,
      minutes: 15,
      metrics: shareBeside(each(all, 'Throttles'), each(all, 'Invocations'), 10),
    },
    DocumentsNotConverted: {
      description: 'More than 10 % of the documents met a converter that could not be called, or failed.',
      threshold: 10,
      minutes: 15,
      metrics: shareBeside([ofStage('notConverted')], each(['converter'], 'Invocations'), 5),
    },
  };
}

function webhookAlarms({ queue: { webhooks } }: Stores): Alarms {
  const sent = (outcome: string) => ofStage('webhooks', 'Sum', { outcome });
  return {
    WebhooksNotSent: {
      description: 'More than 10 % of the webhooks could not be tried: log `webhook not sent`.',
      threshold: 10,
      minutes: 15,
      metrics: shareBeside([ofStage('webhooksNotSent')], [sent('delivered'), sent('failed')], 5),
    },
    WebhooksStay: {
      description: 'For 45 minutes webhooks have come faster than they are sent, or none is sent.',
      threshold: 0,
      minutes: 15,
      periods: 3,
      // On the average a message counts once, wherever it is: one that always throws is never in one place only.
      metrics: backlog(inQueue(webhooks, 'Average'), ofQueue(webhooks, 'NumberOfMessagesDeleted', 'Sum')),
    },
  };
}

/** Its rule calls the function once a minute, and each call logs one value. */
const scheduleAlarms = (): Alarms => ({
  SchedulesLate: {
    description:
      'In 10 minutes of 15 schedules were started more than 5 minutes late, or not at all, or nobody looked after them.',
    threshold: 0,
    // A start that fails is tried again after growing pauses: it is late, but not in three periods in a row.
    periods: 2,
    among: 3,
    metrics: lateOrMissing(ofStage('lateSeconds', 'Maximum'), ofStage('lateSeconds', 'SampleCount'), 300),
  },
});

const ofQueue = (queue: sst.aws.Queue, metricName: string, stat: string): Metric =>
  metric('AWS/SQS', metricName, { QueueName: queue.nodes.queue.name }, stat);

/** Messages in flight count too: one that is tried again and again is seldom visible. */
const inQueue = (queue: sst.aws.Queue, stat: string): Metric[] =>
  ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesNotVisible'].map((metricName) =>
    ofQueue(queue, metricName, stat),
  );

/** What tables refuse, for each hundred requests and messages of the worker. */
function tableAlarms({ tables, queue }: Stores): Alarms {
  const ids = Object.keys(tables) as TableId[];
  const ofTables = (metricName: string) =>
    ids.map((id) => metric('AWS/DynamoDB', metricName, { TableName: tables[id].name }));
  // The metrics of a table leave out its indexes.
  const ofIndexes = (metricName: string) =>
    ids.flatMap((id) =>
      indexesOf(tableDefinitions[id]).map(({ name }) =>
        metric('AWS/DynamoDB', metricName, {
          TableName: tables[id].name,
          GlobalSecondaryIndexName: name,
        }),
      ),
    );
  const refusals = (refused: Metric[]) =>
    share(refused, [requests(), workDone(queue), ofStage('interrupted')], 20);
  return {
    WriteThrottles: {
      description: 'A table, an index, or a hot key of one refuses writes: over 5 for each 100 requests.',
      threshold: 5,
      metrics: refusals([...ofTables('WriteThrottleEvents'), ...ofIndexes('WriteThrottleEvents')]),
    },
    ReadThrottles: {
      description: 'A table, an index, or a hot key of one refuses reads: over 5 for each 100 requests.',
      threshold: 5,
      metrics: refusals([...ofTables('ReadThrottleEvents'), ...ofIndexes('ReadThrottleEvents')]),
    },
    TransactionConflicts: {
      description: 'Transactions meet each other more often than there are requests: accounts are very busy.',
      threshold: 100,
      metrics: refusals(ofTables('TransactionConflict')),
    },
  };
}

/** AWS tells failures every five minutes at best. */
function backupAlarms({ backups }: Settings): Alarms {
  const failed = ['BackupJobsFailed', 'BackupJobsAborted', 'BackupJobsExpired', 'CopyJobsFailed'];
  const inVault = { BackupVaultName: vaultName() };
  return backups
    ? {
        BackupsFailed: {
          description: 'A table was not copied into the vault of the stage, or not from there into another.',
          threshold: 0,
          minutes: 60,
          metrics: total(failed.map((each) => metric('AWS/Backup', `NumberOf${each}`, inVault))),
        },
      }
    : {};
}

const indexesOf = (definition: TableDefinition) => definition.indexes ?? [];
