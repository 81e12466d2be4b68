import {
  CloudFrontClient,
  GetDistributionConfigCommand,
  ListDistributionsCommand,
} from '@aws-sdk/client-cloudfront';
import {
  CloudWatchClient,
  DashboardNotFoundError,
  GetDashboardCommand,
  GetMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  GetFunctionUrlConfigCommand,
  LambdaClient,
  ListFunctionsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import type { Scene, StageDeps } from '@errand/smoke';
import { mockClient } from 'aws-sdk-client-mock';
import type { Stack } from '../../support/sst/stack.ts';

export const domainName = 'd111111abcdef8.cloudfront.net';

/** What a deployed stage would have of the evaluated stack, and what its functions have logged and counted. */
export interface FakeStage {
  deps: StageDeps;
  /** The hosts of origins, and how they are spoken to. */
  origin: { domainName: string; originProtocolPolicy: string };
  behavior: { cachePolicyId: string; compress: boolean; viewerProtocolPolicy: string };
  /** Lines by log group. */
  lines: Map<string, string[]>;
  /** Sums by `METRIC` for what the dashboard shows, and by `METRIC AREA`. */
  sums: Map<string, number>;
  dashboard: string | undefined;
  waits: number;
}

/** Answers by the names in the stack alone, without knowing how the checks search. */
export function fakeStage(stack: Stack, stage: string, functionUrl: string): FakeStage {
  const clients = {
    cloudfront: new CloudFrontClient({ region: 'eu-central-1' }),
    cloudwatch: new CloudWatchClient({ region: 'eu-central-1' }),
    logs: new CloudWatchLogsClient({ region: 'eu-central-1' }),
    lambda: new LambdaClient({ region: 'eu-central-1' }),
  };
  const cdn = stack.one('aws:cloudfront/distribution:Distribution', 'RouterCdnDistribution').inputs;
  const [origin] = cdn.origins as { domainName: string; customOriginConfig: FakeStage['origin'] }[];
  const groups = stack.of('aws:cloudwatch/logGroup:LogGroup').map(({ inputs }) => String(inputs.name));
  const [board] = stack.of('aws:cloudwatch/dashboard:Dashboard');
  const fake: FakeStage = {
    deps: {
      ...clients,
      stage,
      wait: async () => {
        fake.waits++;
      },
    },
    origin: {
      domainName: origin?.domainName ?? '',
      originProtocolPolicy: origin?.customOriginConfig.originProtocolPolicy ?? '',
    },
    behavior: { ...(cdn.defaultCacheBehavior as FakeStage['behavior']) },
    lines: new Map(groups.map((group) => [group, []])),
    sums: new Map(),
    dashboard: board && String(board.inputs.dashboardBody),
    waits: 0,
  };
  answerCloudFront(fake, stack, clients.cloudfront);
  answerLambda(stack, clients.lambda, functionUrl);
  answerLogs(fake, clients.logs);
  answerMetrics(fake, board && String(board.inputs.dashboardName), clients.cloudwatch);
  return fake;
}

function answerCloudFront(fake: FakeStage, stack: Stack, client: CloudFrontClient): void {
  const { inputs } = stack.one('aws:cloudfront/function:Function', 'RouterCloudfrontFunctionRequest');
  const summary = (id: string, edgeFunction: string, domain: string) => ({
    Id: id,
    DomainName: domain,
    DefaultCacheBehavior: {
      FunctionAssociations: {
        Items: [
          { FunctionARN: `arn:aws:cloudfront::1:function/${edgeFunction}`, EventType: 'viewer-request' },
        ],
      },
    },
  });
  const name = String(inputs.name);
  const items = [
    summary('E0', name.replace(`-${fake.deps.stage}-`, `-${fake.deps.stage}-2-`), 'd0.cloudfront.net'),
    summary('E1', name, domainName),
  ];
  const mock = mockClient(client);
  mock.on(ListDistributionsCommand).resolves({ DistributionList: { Items: items } } as object);
  mock.on(GetDistributionConfigCommand, { Id: 'E1' }).callsFake(() => ({
    DistributionConfig: {
      Origins: {
        Items: [
          {
            DomainName: fake.origin.domainName,
            CustomOriginConfig: { OriginProtocolPolicy: fake.origin.originProtocolPolicy },
          },
        ],
      },
      DefaultCacheBehavior: {
        CachePolicyId: fake.behavior.cachePolicyId,
        Compress: fake.behavior.compress,
        ViewerProtocolPolicy: fake.behavior.viewerProtocolPolicy,
      },
    },
  }));
}

function answerLambda(stack: Stack, client: LambdaClient, functionUrl: string): void {
  const functions = stack.of('aws:lambda/function:Function').map(({ inputs }) => ({
    FunctionName: String(inputs.name),
    LoggingConfig: { LogGroup: (inputs.loggingConfig as { logGroup: string }).logGroup },
  }));
  const withUrl = stack
    .of('aws:lambda/functionUrl:FunctionUrl')
    .map(({ inputs }) => `${inputs.functionName} ${inputs.qualifier}`);
  const mock = mockClient(client);
  mock.on(ListFunctionsCommand).resolves({ Functions: [{ FunctionName: 'another-function' }, ...functions] });
  mock.on(GetFunctionUrlConfigCommand).callsFake(({ FunctionName, Qualifier }) => {
    if (!withUrl.includes(`${FunctionName} ${Qualifier}`))
      throw new ResourceNotFoundException({ message: '', $metadata: {} });
    return { FunctionUrl: functionUrl };
  });
}

function answerLogs({ lines }: FakeStage, client: CloudWatchLogsClient): void {
  mockClient(client)
    .on(FilterLogEventsCommand)
    .callsFake(({ logGroupName, filterPattern = '' }) => {
      const all = lines.get(logGroupName);
      if (!all) throw new Error(`no log group ${logGroupName}`);
      const text = filterPattern.replace(/^"(.*)"$/, '$1');
      return { events: all.filter((line) => line.includes(text)).map((message) => ({ message })) };
    });
}

interface Query {
  Expression?: string;
  MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions: { Value: string }[] } };
}

function answerMetrics(fake: FakeStage, dashboardName: string | undefined, client: CloudWatchClient): void {
  const namespace = `Errand/${fake.deps.stage}`;
  const sumOf = ({ Expression, MetricStat }: Query): number | undefined => {
    if (MetricStat?.Metric.Namespace === namespace)
      return fake.sums.get(`${MetricStat.Metric.MetricName} ${MetricStat.Metric.Dimensions[0]?.Value}`);
    const metric = Expression?.includes(`"${namespace}"`) && /MetricName="(\w+)"/.exec(Expression)?.[1];
    return metric ? fake.sums.get(metric) : undefined;
  };
  const mock = mockClient(client);
  mock.on(GetMetricDataCommand).callsFake(({ MetricDataQueries: [query] }) => {
    const sum = sumOf(query);
    return { MetricDataResults: [{ Id: query.Id, Values: sum === undefined ? [] : [sum] }] };
  });
  mock.on(GetDashboardCommand).callsFake(({ DashboardName }) => {
    if (fake.dashboard === undefined || DashboardName !== dashboardName)
      throw new DashboardNotFoundError({ message: '', $metadata: {} });
    return { DashboardBody: fake.dashboard };
  });
}

/** What the functions log and count of the requests that the checks send. */
export function beUsed(fake: FakeStage, { id }: Scene): void {
  for (const [group, lines] of fake.lines) {
    const name = group.split('/').at(-1) ?? '';
    if (name === 'dead-letters') continue;
    if (name === 'converter') {
      lines.push(JSON.stringify({ message: 'document read', extension: '.txt' }));
      continue;
    }
    lines.push(JSON.stringify({ message: 'request', area: name, requestId: `${id}-${name}` }));
    fake.sums.set(`failed ${name}`, 20);
  }
  for (const metric of ['failed', 'milliseconds', 'runs', 'inputTokens', 'outputTokens', 'amountNanoEuro'])
    fake.sums.set(metric, 100);
}
