import {
  DashboardNotFoundError,
  GetDashboardCommand,
  GetMetricDataCommand,
  type MetricDataQuery,
} from '@aws-sdk/client-cloudwatch';
import type { Check } from '../check.ts';
import { areas } from '../checks/prefixes.ts';
import { must, Skipped } from '../outcome.ts';
import { type StageDeps, untilComplete } from './aws.ts';

const periodSeconds = 60;
/** Metrics are stored for periods of a minute or five: the period of the first request may have begun before the request. */
const marginMilliseconds = 600_000;

export const metricsCheck = (deps: StageDeps): Check => ({
  name: 'metrics',
  async run({ startedAt }) {
    const Namespace = `Errand/${deps.stage}`;
    const missing = await untilComplete(deps, async () => {
      const empty: string[] = [];
      for (const area of areas) {
        // Each request is one value of the metric.
        const Metric = { Namespace, MetricName: 'failed', Dimensions: [{ Name: 'area', Value: area }] };
        const query = { Id: 'requests', MetricStat: { Metric, Period: periodSeconds, Stat: 'SampleCount' } };
        if (!(await hasValues(deps, query, startedAt))) empty.push(area);
      }
      return empty;
    });
    must(missing.length === 0, `no requests are counted in ${Namespace} for ${missing.join(', ')}`);
    return `${Namespace} has the requests of ${areas.join(', ')}`;
  },
});

/** What the checks always produce, each with its metric and statistic. The dashboard's other metrics may have no values. */
const filled = {
  requests: ['failed', 'SampleCount'],
  milliseconds: ['milliseconds', 'p95'],
  runs: ['runs', 'Sum'],
  inputTokens: ['inputTokens', 'Sum'],
  outputTokens: ['outputTokens', 'Sum'],
  amountNanoEuro: ['amountNanoEuro', 'Sum'],
} as const;

export const dashboardCheck = (deps: StageDeps): Check => ({
  name: 'the dashboard',
  async run({ startedAt }) {
    const expressions = await readExpressions(deps);
    const found = Object.entries(filled).map(([what, [metric, statistic]]) => ({
      what,
      expression: expressions.find((each) => each.includes(`MetricName="${metric}"', '${statistic}'`)),
    }));
    const unshown = found.filter(({ expression }) => expression === undefined);
    must(unshown.length === 0, `it does not show ${unshown.map(({ what }) => what).join(', ')}`);
    const missing = await untilComplete(deps, async () => {
      const empty: string[] = [];
      for (const { what, expression: Expression } of found)
        if (!(await hasValues(deps, { Id: 'shown', Expression }, startedAt))) empty.push(what);
      return empty;
    });
    must(missing.length === 0, `it shows nothing for ${missing.join(', ')}`);
    return `it shows ${Object.keys(filled).join(', ')}`;
  },
});

interface DashboardBody {
  widgets: { properties: { metrics?: unknown[][] } }[];
}

async function readExpressions({ cloudwatch, stage }: StageDeps): Promise<string[]> {
  try {
    const { DashboardBody: body = '{"widgets":[]}' } = await cloudwatch.send(
      new GetDashboardCommand({ DashboardName: `errand-${stage}` }),
    );
    const { widgets } = JSON.parse(body) as DashboardBody;
    return widgets
      .flatMap(({ properties }) => properties.metrics ?? [])
      .flat()
      .flatMap((part) => (isSearch(part) ? [part.expression] : []));
  } catch (error) {
    if (error instanceof DashboardNotFoundError)
      throw new Skipped(`the stage ${stage} has none: it is not permanent`);
    throw error;
  }
}

const isSearch = (part: unknown): part is { expression: string } =>
  typeof part === 'object' && part !== null && 'expression' in part && typeof part.expression === 'string';

async function hasValues(deps: StageDeps, query: MetricDataQuery, startedAt: number): Promise<boolean> {
  const { MetricDataResults = [] } = await deps.cloudwatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(startedAt - marginMilliseconds),
      EndTime: new Date(Date.now() + marginMilliseconds),
      MetricDataQueries: [query],
    }),
  );
  return MetricDataResults.some(({ Values = [] }) => Values.some((value) => value > 0));
}
