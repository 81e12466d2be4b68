import type { Resource } from './made-up-cloud.ts';

export interface AlarmMetric {
  namespace: string;
  metricName: string;
  dimensions: Record<string, string>;
  stat: string;
  period: number;
}

export interface MetricQuery {
  id: string;
  returnData: boolean;
  metric?: AlarmMetric;
  expression?: string;
}

/** What CloudWatch has of a metric in a period; undefined if it has nothing. */
export type ReadMetric = (metric: AlarmMetric) => number | undefined;

export const queriesOf = ({ inputs }: Resource) => inputs.metricQueries as MetricQuery[];

export const metricsOf = (alarm: Resource): AlarmMetric[] =>
  queriesOf(alarm).flatMap(({ metric }) => metric ?? []);

/** Whether the alarm's expression passes its threshold. Of CloudWatch's metric math it knows `IF` and `FILL`. */
export function fires(alarm: Resource, read: ReadMetric): boolean {
  const queries = queriesOf(alarm);
  const values = queries.flatMap(({ id, metric }) => (metric ? [[id, read(metric)] as const] : []));
  const known = {
    IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
    FILL: (value: number | undefined, missing: number) => value ?? missing,
    ...Object.fromEntries(values),
  };
  const expression = queries.find(({ returnData }) => returnData)?.expression;
  const value = new Function(...Object.keys(known), `return ${expression}`)(...Object.values(known));
  return value > Number(alarm.inputs.threshold);
}

/** Whether the alarm goes off by what there is in the periods that it looks at, the earliest first. */
export function goesOff(alarm: Resource, periods: readonly ReadMetric[]): boolean {
  const { evaluationPeriods, datapointsToAlarm } = alarm.inputs as Record<string, number>;
  const over = periods.map((read) => fires(alarm, read));
  return over.some(
    (_, last) =>
      over.slice(Math.max(0, last + 1 - evaluationPeriods!), last + 1).filter(Boolean).length >=
      datapointsToAlarm!,
  );
}

interface Embedded {
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

/** Reads metrics as CloudWatch makes them of log lines in its embedded format. */
export function readLines(lines: readonly Record<string, unknown>[]): ReadMetric {
  const values = new Map<string, number[]>();
  const keyOf = (namespace: string, name: string, dimensions: object) =>
    JSON.stringify([namespace, name, dimensions]);
  for (const line of lines)
    for (const { Namespace, Dimensions, Metrics } of (line._aws as Embedded)?.CloudWatchMetrics ?? [])
      for (const dimensions of Dimensions)
        for (const { Name } of Metrics) {
          const of = Object.fromEntries(dimensions.map((dimension) => [dimension, line[dimension]]));
          const key = keyOf(Namespace, Name, of);
          values.set(key, [...(values.get(key) ?? []), ...[line[Name] as number | number[]].flat()]);
        }
  return ({ namespace, metricName, dimensions, stat }) => {
    const found = values.get(keyOf(namespace, metricName, dimensions));
    if (stat === 'SampleCount') return found?.length;
    if (stat === 'Maximum') return found && Math.max(...found);
    return found?.reduce((sum, value) => sum + value, 0);
  };
}

export const isOurs = ({ namespace }: AlarmMetric): boolean => namespace.startsWith('Errand/');
