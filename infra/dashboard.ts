import type { Functions } from './api.ts';
import { metricsNamespace } from './metrics-namespace.ts';
import { chatHostOf, hasWorkerContainers } from './network.ts';
import type { Settings } from './settings.ts';
import type { Stores } from './stores.ts';

const periodSeconds = 300;

/** One page of requests, latency, usage, charges and runs. */
export function createDashboard(settings: Settings, { queue }: Stores, functions: Functions): void {
  const region = aws.getRegionOutput().region;
  const names = [queue.work, queue.deadLetters, queue.webhooks].map((each) => each.nodes.queue.name);
  const ofContainers =
    chatHostOf(settings) || hasWorkerContainers(settings)
      ? [
          {
            title: 'Streams and runs in a container, on the average',
            metrics: [each('area', 'open', 'Average')],
            stat: 'Average',
          },
        ]
      : [];
  new aws.cloudwatch.Dashboard('Dashboard', {
    dashboardName: `${$app.name}-${$app.stage}`,
    dashboardBody: $util
      .all([region, $util.all(names), $util.all(Object.values(functions).map(({ name }) => name))])
      .apply(([here, queues, running]) =>
        JSON.stringify({
          widgets: layOut(here, [...widgetsOf(queues), ...widgetsOfFunctions(running), ...ofContainers]),
        }),
      ),
  });
}

interface Widget {
  title: string;
  metrics: unknown[][];
  stat: string;
}

/** A line for each value of the dimension. */
const each = (dimension: string, metricName: string, stat: string) => [
  {
    expression: `SEARCH('{"${metricsNamespace()}",${dimension}} MetricName="${metricName}"', '${stat}', ${periodSeconds})`,
  },
];

function widgetsOf([work = '', deadLetters = '', webhooks = '']: readonly string[]): Widget[] {
  const ofQueue = (name: string, metricName: string) => ['AWS/SQS', metricName, 'QueueName', name];
  return [
    // Each request is one value of the metric.
    { title: 'Requests', metrics: [each('area', 'failed', 'SampleCount')], stat: 'SampleCount' },
    { title: 'Requests that failed (5xx)', metrics: [each('area', 'failed', 'Sum')], stat: 'Sum' },
    {
      title: 'Latency to the first byte, p95 (ms)',
      metrics: [each('area', 'milliseconds', 'p95')],
      stat: 'p95',
    },
    {
      title: 'Runs, by what became of them in a worker',
      metrics: [each('outcome', 'runs', 'Sum')],
      stat: 'Sum',
    },
    { title: 'Tokens in', metrics: [each('scope', 'inputTokens', 'Sum')], stat: 'Sum' },
    { title: 'Tokens out', metrics: [each('scope', 'outputTokens', 'Sum')], stat: 'Sum' },
    { title: 'Credits charged (nano-euro)', metrics: [each('scope', 'amountNanoEuro', 'Sum')], stat: 'Sum' },
    {
      title: 'Set-ups that providers do not accept, by model',
      metrics: [each('model', 'notAccepted', 'Sum'), each('model', 'notTaken', 'Sum')],
      stat: 'Sum',
    },
    {
      title: 'Budgets and ceilings that are spent by 80 %',
      metrics: [each('budget', 'softLimits', 'Sum')],
      stat: 'Sum',
    },
    { title: 'Webhooks sent, by outcome', metrics: [each('outcome', 'webhooks', 'Sum')], stat: 'Sum' },
    {
      title: 'Webhooks switched off, by reason',
      metrics: [each('reason', 'webhooksOff', 'Sum')],
      stat: 'Sum',
    },
    {
      title: 'Latest start of a schedule (s)',
      metrics: [each('scope', 'lateSeconds', 'Maximum')],
      stat: 'Maximum',
    },
    {
      title: 'Lowest label mass of a question',
      metrics: [each('model', 'labelMass', 'Minimum')],
      stat: 'Minimum',
    },
    {
      title: 'Age of the oldest message (s)',
      metrics: [
        ofQueue(work, 'ApproximateAgeOfOldestMessage'),
        ofQueue(deadLetters, 'ApproximateAgeOfOldestMessage'),
        ofQueue(webhooks, 'ApproximateAgeOfOldestMessage'),
      ],
      stat: 'Maximum',
    },
    {
      title: 'Messages in flight and waiting',
      metrics: [
        ofQueue(work, 'ApproximateNumberOfMessagesNotVisible'),
        ofQueue(work, 'ApproximateNumberOfMessagesVisible'),
      ],
      stat: 'Maximum',
    },
  ];
}

function widgetsOfFunctions(names: readonly string[]): Widget[] {
  const of = (title: string, metricName: string, stat: string): Widget => ({
    title,
    metrics: names.map((name) => ['AWS/Lambda', metricName, 'FunctionName', name]),
    stat,
  });
  return [
    of('Time of invocations, p95 (ms)', 'Duration', 'p95'),
    of('Invocations that failed', 'Errors', 'Sum'),
    of('Invocations without concurrency', 'Throttles', 'Sum'),
    of('Invocations at the same time', 'ConcurrentExecutions', 'Maximum'),
  ];
}

/** Two widgets in a row. */
const layOut = (region: string, widgets: readonly Widget[]) =>
  widgets.map(({ title, metrics, stat }, i) => ({
    type: 'metric',
    x: (i % 2) * 12,
    y: Math.floor(i / 2) * 6,
    width: 12,
    height: 6,
    properties: { title, metrics, stat, region, period: periodSeconds, view: 'timeSeries' },
  }));
