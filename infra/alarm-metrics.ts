import { wholeStage } from '../functions/lambda/metrics.ts';
import { metricsNamespace } from './metrics-namespace.ts';

export type MetricQuery = aws.types.input.cloudwatch.MetricAlarmMetricQuery;

/** A metric in an alarm, which gives it the period. */
export type Metric = Omit<aws.types.input.cloudwatch.MetricAlarmMetricQueryMetric, 'period'>;

export interface Alarm {
  description: string;
  threshold: number;
  metrics(periodSeconds: number): MetricQuery[];
  /** The alarm looks at so many minutes at a time. Default: 5. */
  minutes?: number;
  /** The alarm goes off after so many of these in a row. Default: 1. */
  periods?: number;
  /** Where they need not be in a row: so many of the last of them. */
  among?: number;
}

export const metric = (
  namespace: string,
  metricName: string,
  dimensions: Record<string, $util.Input<string>>,
  stat = 'Sum',
): Metric => ({ namespace, metricName, dimensions, stat });

/** A metric of ours, over the whole stage unless a value of its dimension is given. */
export const ofStage = (metricName: string, stat = 'Sum', dimensions: Record<string, string> = wholeStage) =>
  metric(metricsNamespace(), metricName, dimensions, stat);

const queries = (prefix: string, metrics: readonly Metric[], period: number) =>
  metrics.map((each, i) => ({ id: `${prefix}${i}`, metric: { ...each, period }, returnData: false }));

const sumOf = (prefix: string, metrics: readonly Metric[]) =>
  metrics.map((_, i) => `FILL(${prefix}${i}, 0)`).join(' + ');

export const total = (metrics: readonly Metric[]) => (period: number) => [
  ...queries('m', metrics, period),
  { id: 'total', expression: sumOf('m', metrics), label: 'total', returnData: true },
];

/** How many of `wanted` are missing where each logs a value of the metric once a minute, on the average of the period. */
export const missing = (counted: Metric, wanted: number) => (period: number) => [
  ...queries('m', [counted], period),
  {
    id: 'missing',
    expression: `${wanted} - FILL(m0, 0) / ${period / 60}`,
    label: 'missing',
    returnData: true,
  },
];

/** A sum of metrics in percent of others; 0 while those are fewer than `least`, since one failure at night is no outage. */
export const share = (part: readonly Metric[], whole: readonly Metric[], least: number) =>
  percent(part, whole, least, sumOf('w', whole));

/** The same, where what is counted in the first sum is missing in the others. */
export const shareBeside = (part: readonly Metric[], others: readonly Metric[], least: number) =>
  percent(part, others, least, `${sumOf('p', part)} + ${sumOf('w', others)}`);

const percent =
  (part: readonly Metric[], whole: readonly Metric[], least: number, all: string) => (period: number) => [
    ...queries('p', part, period),
    ...queries('w', whole, period),
    {
      id: 'share',
      expression: `IF((${all}) >= ${least}, 100 * (${sumOf('p', part)}) / (${all}), 0)`,
      label: 'percent',
      returnData: true,
    },
  ];

/** Over 0 if there is any of the first; or so many of what is doubtful, and more than of the others. */
export const anyOrMost =
  (sure: Metric, doubtful: Metric, others: Metric, least: number) => (period: number) => [
    ...queries('s', [sure], period),
    ...queries('d', [doubtful], period),
    ...queries('o', [others], period),
    {
      id: 'count',
      expression: `FILL(s0, 0) + IF(FILL(d0, 0) >= ${least} && FILL(d0, 0) > FILL(o0, 0), 1, 0)`,
      label: 'lines',
      returnData: true,
    },
  ];

/** How many messages there are, or 0 if as many were done with in the same time. */
export const backlog = (kept: readonly Metric[], done: Metric) => (period: number) => [
  ...queries('k', kept, period),
  ...queries('d', [done], period),
  {
    id: 'backlog',
    expression: `IF((${sumOf('k', kept)}) > ${sumOf('d', [done])}, ${sumOf('k', kept)}, 0)`,
    label: 'messages',
    returnData: true,
  },
];

/** Over 0 if something is later than so many seconds, or if nothing has told in the time how late it is. */
export const lateOrMissing = (late: Metric, told: Metric, seconds: number) => (period: number) => [
  ...queries('l', [late], period),
  ...queries('t', [told], period),
  {
    id: 'late',
    expression: `IF(FILL(t0, 0) == 0, 1, 0) + IF(FILL(l0, 0) > ${seconds}, 1, 0)`,
    label: 'late',
    returnData: true,
  },
];
