import { wholeStage } from '../functions/lambda/metrics.ts';
import type { Functions } from './api.ts';
import { functionShapes } from './functions.ts';
import { metricsNamespace } from './metrics-namespace.ts';
import type { FunctionName } from './permissions.ts';
import type { Router } from './router.ts';
import type { Settings } from './settings.ts';
import type { Stores } from './stores.ts';

interface Alarm {
  description: string;
  threshold: number;
  metrics: aws.types.input.cloudwatch.MetricAlarmMetricQuery[];
  /** The alarm goes off after this many periods of 5 minutes. Default: 1. */
  periods?: number;
}

const periodSeconds = 300;

/** Makes the alarms. docs/operate.md says what each one means. */
export function createAlarms(settings: Settings, stores: Stores, functions: Functions, router: Router): void {
  const topic = new sst.aws.SnsTopic('Alarms');
  mail(settings, 'AlarmMail', topic.arn);
  for (const [name, alarm] of Object.entries(alarmsOf(settings, stores, functions)))
    createAlarm(name, alarm, topic.arn);
  createEdgeAlarms(settings, router);
}

/** The metrics of CloudFront are in us-east-1 alone, and an alarm can only notify a topic of its own region. */
function createEdgeAlarms(settings: Settings, router: Router): void {
  const options = { provider: new aws.Provider('EdgeMetrics', { region: 'us-east-1' }) };
  const topic = new aws.sns.Topic('EdgeAlarms', {}, options);
  mail(settings, 'EdgeAlarmMail', topic.arn, options);
  for (const [name, alarm] of Object.entries(edgeAlarmsOf(router)))
    createAlarm(name, alarm, topic.arn, options);
}

/** What functions cannot tell that CloudFront does not reach. */
function edgeAlarmsOf(router: Router): Record<string, Alarm> {
  const ofEdge = (metricName: string, stat: string) =>
    metric('AWS/CloudFront', metricName, { DistributionId: router.distributionID, Region: 'Global' }, stat);
  return {
    EdgeErrorRate: {
      description: 'CloudFront answers more than 5 % of the requests with 5xx, its own errors included.',
      threshold: 5,
      periods: 2,
      metrics: [
        { id: 'requests', metric: ofEdge('Requests', 'Sum'), returnData: false },
        { id: 'rate', metric: ofEdge('5xxErrorRate', 'Average'), returnData: false },
        // One failure at night is no outage.
        { id: 'outage', expression: 'IF(requests >= 20, rate, 0)', label: 'percent', returnData: true },
      ],
    },
  };
}

function mail(
  { alarmEmail }: Settings,
  name: string,
  topic: $util.Input<string>,
  options: $util.CustomResourceOptions = {},
): void {
  if (!alarmEmail) return;
  new aws.sns.TopicSubscription(name, { topic, protocol: 'email', endpoint: alarmEmail }, options);
}

function createAlarm(
  name: string,
  { description, threshold, periods = 1, metrics }: Alarm,
  topic: $util.Input<string>,
  options: $util.CustomResourceOptions = {},
): void {
  new aws.cloudwatch.MetricAlarm(
    name,
    {
      // Several stages may share an account, and the mail has only this name to tell them apart.
      name: `${$app.name}-${$app.stage}-${name}`,
      alarmDescription: description,
      comparisonOperator: 'GreaterThanThreshold',
      threshold,
      evaluationPeriods: periods,
      metricQueries: metrics,
      treatMissingData: 'notBreaching',
      alarmActions: [topic],
      okActions: [topic],
    },
    options,
  );
}

function alarmsOf(
  { largeUploads }: Settings,
  { queue, tables }: Stores,
  functions: Functions,
): Record<string, Alarm> {
  const ofStage = (metricName: string) => [metric(metricsNamespace(), metricName, wholeStage, 'Sum')];
  // AWS adds up ten metrics at most in an alarm. Each of these sums has room for further functions.
  const ofFunctions = (metricName: string, { answering }: { answering: boolean }) =>
    Object.entries(functions)
      .filter(([name]) => functionShapes[name as FunctionName].paths.length > 0 === answering)
      .map(([, each]) => metric('AWS/Lambda', metricName, { FunctionName: each.name }, 'Sum'));
  const throttledTables = Object.values(tables).flatMap((table) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metricName) =>
      metric('AWS/DynamoDB', metricName, { TableName: table.name }, 'Sum'),
    ),
  );
  const deadLetters = functions['dead-letters'];
  return {
    DeadLetterArrived: {
      description: 'A message was given up on: its run ended as failed, or its charge was tried once more.',
      threshold: 0,
      metrics: total(
        deadLetters ? [metric('AWS/Lambda', 'Invocations', { FunctionName: deadLetters.name }, 'Sum')] : [],
      ),
    },
    DeadLettersStay: {
      description: 'Dead letters keep coming, or their consumer does not get them done.',
      threshold: 0,
      periods: 3,
      // Messages in flight count too: one that is tried again and again is seldom visible.
      metrics: total(
        ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesNotVisible'].map((metricName) =>
          metric('AWS/SQS', metricName, { QueueName: queue.deadLetters.nodes.queue.name }, 'Maximum'),
        ),
      ),
    },
    DocumentsNotConverted: {
      description: 'Documents could not be read because the converter could not be called, or failed.',
      threshold: 5,
      metrics: total(ofStage('notConverted')),
    },
    ErrorRate: {
      description: 'More than 5 % of the requests were answered with 5xx.',
      threshold: 5,
      periods: 2,
      metrics: ratio(ofStage('failed'), ofStage('requests')),
    },
    ...(largeUploads && {
      LargeUploadErrors: {
        description: 'The container for large uploads answered with 5xx.',
        threshold: 5,
        metrics: total([metric(metricsNamespace(), 'failed', { area: 'large-uploads' }, 'Sum')]),
      },
    }),
    FunctionErrors: {
      description: 'Functions that answer requests failed, ran out of time, or broke off a stream.',
      threshold: 5,
      metrics: total(ofFunctions('Errors', { answering: true })),
    },
    BackgroundErrors: {
      description: 'Functions that work on runs and documents failed or ran out of time.',
      threshold: 5,
      metrics: total(ofFunctions('Errors', { answering: false })),
    },
    RunAge: {
      description: 'The oldest message is older than half an hour: runs wait for a worker.',
      threshold: 1_800,
      metrics: total([
        metric(
          'AWS/SQS',
          'ApproximateAgeOfOldestMessage',
          { QueueName: queue.work.nodes.queue.name },
          'Maximum',
        ),
      ]),
    },
    WebhookAge: {
      description:
        'The oldest webhook is older than 45 minutes: its function fails, or has too much to send.',
      // A message may be delayed for a quarter of an hour.
      threshold: 2_700,
      metrics: total([
        metric(
          'AWS/SQS',
          'ApproximateAgeOfOldestMessage',
          { QueueName: queue.webhooks.nodes.queue.name },
          'Maximum',
        ),
      ]),
    },
    FunctionThrottles: {
      description: "The account's or a function's concurrency is used up: requests are refused.",
      threshold: 0,
      metrics: total(ofFunctions('Throttles', { answering: true })),
    },
    BackgroundThrottles: {
      description:
        "The account's or a function's concurrency is used up: documents are refused, or runs wait.",
      threshold: 0,
      metrics: total(ofFunctions('Throttles', { answering: false })),
    },
    TableThrottles: {
      description: 'A table, or a hot key of it, refused reads or writes.',
      threshold: 10,
      metrics: total(throttledTables),
    },
  };
}

type Metric = aws.types.input.cloudwatch.MetricAlarmMetricQueryMetric;

const metric = (
  namespace: string,
  metricName: string,
  dimensions: Record<string, $util.Input<string>>,
  stat: string,
): Metric => ({ namespace, metricName, dimensions, stat, period: periodSeconds });

const queries = (prefix: string, metrics: readonly Metric[]) =>
  metrics.map((each, i) => ({ id: `${prefix}${i}`, metric: each, returnData: false }));

const sumOf = (prefix: string, metrics: readonly Metric[]) =>
  metrics.map((_, i) => `FILL(${prefix}${i}, 0)`).join(' + ');

const total = (metrics: readonly Metric[]) => [
  ...queries('m', metrics),
  { id: 'total', expression: sumOf('m', metrics), label: 'total', returnData: true },
];

const ratio = (part: readonly Metric[], whole: readonly Metric[]) => [
  ...queries('p', part),
  ...queries('w', whole),
  {
    id: 'ratio',
    expression: `100 * (${sumOf('p', part)}) / (${sumOf('w', whole)})`,
    label: 'percent',
    returnData: true,
  },
];
