import { readFileSync } from 'node:fs';
import { abortUploadsAfterDays, fileExpirations, limits, tableDefinitions } from '@errand/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { countedLines, wholeStage } from '../../functions/lambda/metrics.ts';
import { functionShapes, toPascalCase } from '../../infra/functions.ts';
import { keyNames } from '../../infra/key-names.ts';
import { type FunctionName, permissions } from '../../infra/permissions.ts';
import { expectedStatements, policyOf } from '../support/sst/policies.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack, unwrap } from '../support/sst/stack.ts';

const names = Object.keys(functionShapes) as FunctionName[];
test("a stage has a secret for each key of the catalogue's upstreams and servers of tools", () => {
  const upstream = { apiKeyEnv: 'B' };
  const models = [{ upstream, fallbacks: [{ apiKeyEnv: 'C' }, {}] }, { upstream }];
  expect(keyNames({ models, mcpServers: [{ authorizationEnv: 'A' }, {}] })).toEqual(['A', 'B', 'C']);
});

const page = readFileSync('docs/cost.md', 'utf8');
const apis = names.filter((name) => functionShapes[name].paths.length > 0);
/** Those that serve saved files, take uploads, or save files. */
const linking: FunctionName[] = ['agents', 'responses', 'worker'];
/** Those that start or work on runs, or make or call webhooks. */
const sealing: FunctionName[] = ['agents', 'responses', 'mcp', 'worker', 'webhooks'];

describe.skipIf(!canEvaluate).each(['production', 'somebody'])('the stage %s', (stage) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await evaluate(stage);
  }, evaluationMilliseconds);
  const isProduction = stage === 'production';
  const handler = (name: FunctionName) =>
    stack.one('aws:lambda/function:Function', `${toPascalCase(name)}HandlerFunction`).inputs;
  const environmentOf = (name: FunctionName) =>
    unwrap<{ variables: Record<string, string> }>(handler(name).environment).variables;

  test('is kept and protected if it is production, and goes without a trace if not', () => {
    expect(stack.app).toMatchObject({
      removal: isProduction ? 'retain' : 'remove',
      protect: isProduction,
      providers: { aws: { region: 'eu-central-1' } },
    });
  });

  test('has the tables of local mode, billed by request, with their expiry and, if permanent, backups', () => {
    const tables = stack.of('aws:dynamodb/table:Table');
    expect(tables).toHaveLength(Object.keys(tableDefinitions).length);
    for (const definition of Object.values(tableDefinitions)) {
      const { inputs } = stack.one('aws:dynamodb/table:Table', `${definition.name}Table`);
      expect(inputs).toMatchObject({
        billingMode: 'PAY_PER_REQUEST',
        hashKey: definition.partitionKey,
        rangeKey: definition.sortKey,
        ttl: { attributeName: definition.timeToLiveAttribute, enabled: true },
        pointInTimeRecovery: { enabled: isProduction },
        deletionProtectionEnabled: isProduction,
      });
      // `admin --stage` finds the table by this name.
      expect(inputs.name).toMatch(new RegExp(`^errand-${stage}-${definition.name}Table-`));
      const indexes = 'indexes' in definition ? definition.indexes : [];
      expect(inputs.globalSecondaryIndexes).toEqual(
        indexes.map((index) => ({
          name: index.name,
          hashKey: index.partitionKey,
          rangeKey: index.sortKey,
          projectionType: index.projection,
        })),
      );
    }
  });

  test('has work queues with dead letters, whose messages stay hidden for longer than any invocation', () => {
    const { inputs } = stack.one('aws:sqs/queue:Queue', 'WorkQueue');
    const redrive = JSON.parse(inputs.redrivePolicy as string);
    expect(redrive.maxReceiveCount).toBe(1_000);
    expect(redrive.deadLetterTargetArn).toContain('DeadLettersQueue');
    // AWS refuses a subscription otherwise, and the evaluation does not notice.
    expect(inputs.visibilityTimeoutSeconds).toBeGreaterThanOrEqual(handler('worker').timeout as number);
    // A message that always fails becomes a dead letter before its retention ends.
    expect(inputs.messageRetentionSeconds).toBeGreaterThan(
      redrive.maxReceiveCount * (inputs.visibilityTimeoutSeconds as number),
    );
    const dead = stack.one('aws:sqs/queue:Queue', 'DeadLettersQueue').inputs;
    expect(dead.visibilityTimeoutSeconds).toBeGreaterThanOrEqual(handler('dead-letters').timeout as number);
    expect(dead.messageRetentionSeconds).toBe(14 * 24 * 60 * 60);
  });

  test('keeps webhooks in their queue while they are sent, and until they work', () => {
    const { inputs } = stack.one('aws:sqs/queue:Queue', 'WebhooksQueue');
    expect(inputs.visibilityTimeoutSeconds).toBeGreaterThanOrEqual(handler('webhooks').timeout as number);
    expect(inputs).toMatchObject({ messageRetentionSeconds: 14 * 24 * 60 * 60 });
    expect(inputs.redrivePolicy).toBeUndefined();
    expect(limits.webhookHopSeconds).toBe(900);
  });

  test('gives the worker two thirds of its places at a time, others one message, or ten webhooks, has failures reported for each message, and bounds the concurrency', () => {
    const subscriptions = stack.of('aws:lambda/eventSourceMapping:EventSourceMapping');
    expect(subscriptions).toHaveLength(3);
    for (const { name, inputs } of subscriptions) {
      const batchSize = { Webhooks: 10, Work: isProduction ? 7 : 4 }[name.replace(/Subscriber.*/, '')] ?? 1;
      expect(inputs).toMatchObject({ batchSize, functionResponseTypes: ['ReportBatchItemFailures'] });
      const { maximumConcurrency } = inputs.scalingConfig as { maximumConcurrency: number };
      // AWS's own bounds.
      expect(maximumConcurrency).toBeGreaterThanOrEqual(2);
      expect(maximumConcurrency).toBeLessThanOrEqual(1_000);
    }
    const [work] = subscriptions.filter(({ name }) => name.startsWith('Work'));
    expect(work?.inputs.functionName).toMatch(/WorkerHandler.*:live$/);
    const [dead] = subscriptions.filter(({ name }) => name.startsWith('DeadLetters'));
    expect(dead?.inputs.functionName).toMatch(/DeadLettersHandler.*:live$/);
    const [webhooks] = subscriptions.filter(({ name }) => name.startsWith('Webhooks'));
    expect(webhooks?.inputs.functionName).toMatch(/WebhooksHandler.*:live$/);
    expect(work?.inputs.scalingConfig).toEqual({ maximumConcurrency: isProduction ? 10 : 2 });
    // Nothing waits for a batch to be full.
    expect(work?.inputs.maximumBatchingWindowInSeconds ?? 0).toBe(0);
    const [worker] = stack
      .of('aws:lambda/function:Function')
      .filter(({ name }) => name.startsWith('WorkerHandler'));
    const { variables } = unwrap<{ variables: Record<string, string> }>(worker?.inputs.environment);
    expect(variables.RUNS_PER_INVOCATION).toBe(isProduction ? '10' : '5');
    // An account whose receivers hang leaves two thirds of the senders to others, though each of its attempts be in one of its own.
    expect(webhooks?.inputs.scalingConfig).toEqual({
      maximumConcurrency: 3 * limits.webhookAttemptsPerAccount,
    });
  });

  test.each([
    ['worker', 'WorkerRecursion'],
    ['webhooks', 'WebhooksRecursion'],
  ] as const)('lets %s invoke itself again, as often as its work needs', (name, config) => {
    const { inputs } = stack.one('aws:lambda/functionRecursionConfig:FunctionRecursionConfig', config);
    expect(inputs.recursiveLoop).toBe('Allow');
    expect(inputs.functionName).toBe(handler(name).name);
  });

  test('a call for schedules that fails, or comes late, is left to the next minute', () => {
    const { inputs } = stack.one(
      'aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig',
      'SchedulesInvocations',
    );
    expect(inputs).toMatchObject({
      qualifier: 'live',
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60,
    });
    expect(inputs.functionName).toBe(handler('schedules').name);
  });

  test('publishes every function as a version, and has an alias for each that callers or queues reach', () => {
    for (const name of names) expect(handler(name).publish).toBe(true);
    const aliases = stack.of('aws:lambda/alias:Alias');
    // The converter is called by version.
    const aliased = names.filter((name) => name !== 'converter');
    expect(aliases.map(({ inputs }) => inputs.functionName).sort()).toEqual(
      aliased.map((name) => handler(name).name).sort(),
    );
    for (const { inputs, ignored } of aliases) {
      // Pulumi would send the version that it knows together with any other change, so there is nothing that may change.
      expect(Object.keys(inputs).sort()).toEqual(['functionName', 'functionVersion', 'name']);
      expect(inputs).toMatchObject({ name: 'live', functionVersion: '1' });
      // Only `npm run deploy` moves an alias, and notes there what it was moved from.
      expect(ignored).toEqual(['functionVersion', 'description', 'routingConfig']);
    }
  });

  test('has each version call the version of the converter that it was deployed with', () => {
    for (const name of names) {
      const { CONVERTER_FUNCTION: called } = environmentOf(name);
      expect(called).toBe(permissions[name].converts && `${handler('converter').name}:1`);
    }
  });

  test('has a private bucket whose objects go by themselves', () => {
    const block = stack.one('aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock', /^Files/).inputs;
    expect(block).toMatchObject({
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    });
    const policy = stack.one('aws:s3/bucketPolicy:BucketPolicy', /^Files/).inputs.policy as string;
    expect(JSON.parse(policy).Statement.map((each: { Effect: string }) => each.Effect)).toEqual(['Deny']);
    const lifecycle = stack.one('aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration', /^Files/);
    expect(lifecycle.inputs.rules).toEqual(
      fileExpirations().map(({ prefix, days }) => ({
        id: prefix.slice(0, -1),
        status: 'Enabled',
        filter: { prefix },
        expiration: { days },
        abortIncompleteMultipartUpload: { daysAfterInitiation: abortUploadsAfterDays },
      })),
    );
  });

  test.each(names)('runs %s on Node 24 and arm64, in the size and time written down for it', (name) => {
    expect(handler(name)).toMatchObject({
      runtime: 'nodejs24.x',
      architectures: ['arm64'],
      memorySize: functionShapes[name].memoryMegabytes,
      timeout: functionShapes[name].timeoutSeconds,
      loggingConfig: { logFormat: 'JSON', logGroup: `/errand/${stage}/${name}` },
    });
    // AWS's own bounds.
    expect(handler(name).timeout).toBeLessThanOrEqual(900);
    expect((handler(name).name as string).length).toBeLessThanOrEqual(64);
    const bytes = Object.entries(environmentOf(name)).join('').length;
    expect(bytes).toBeLessThan(4 * 1024);
    const build = stack.builds.find(({ functionID }) => functionID === `${toPascalCase(name)}Handler`);
    expect(build).toMatchObject({
      handler: `functions/${name}.handler`,
      properties: { minify: true, splitting: true },
      // A link would grant every action on the linked resource.
      links: {},
    });
    const assets: string[] = [...functionShapes[name].assets];
    expect(build?.copyFiles.map(({ to }) => to)).toEqual(
      functionShapes[name].models ? [...assets, 'catalogue.json'] : assets,
    );
  });

  test("gives upstreams' keys only to functions that ask models, the router's secret only to its own, and those of links and of the store to those that use them", () => {
    for (const name of names) {
      const environment = environmentOf(name);
      expect(environment.OPENAI_API_KEY).toBe(functionShapes[name].models ? 'a key' : undefined);
      expect(environment.OTEL_EXPORTER_OTLP_HEADERS !== undefined).toBe(functionShapes[name].models);
      expect(environment.ORIGIN_SECRET !== undefined).toBe(apis.includes(name));
      expect(environment.STORE_SECRET !== undefined).toBe(sealing.includes(name));
      expect(environment.LINK_SECRET !== undefined).toBe(linking.includes(name));
      expect(environment.LOCATION).toBe('eu');
      expect(environment.PUBLIC_URL).toMatch(/^https:/);
      expect(environment.METRICS_NAMESPACE).toBe(`Errand/${stage}`);
    }
  });

  test.each(names)('lets %s do what is written down for it, and only Lambda be it', (name) => {
    const role = stack.one('aws:iam/role:Role', `${toPascalCase(name)}HandlerRole`).inputs;
    expect(role.managedPolicyArns).toEqual([]);
    const trusted = JSON.stringify(role.assumeRolePolicy);
    expect(trusted).toContain('lambda.amazonaws.com');
    expect(trusted).not.toContain('root');
    const { text, statements } = policyOf(role);
    expect(statements).toEqual(expectedStatements(name));
    // AWS's own bound on the inline policies of a role.
    expect(text.length).toBeLessThanOrEqual(10_240);
    expect(text).not.toMatch(/"[a-z0-9]+:\*"|"Resource":\["\*"/);
  });

  test('streams from every URL, and sets no headers of its own', () => {
    const urls = stack.of('aws:lambda/functionUrl:FunctionUrl');
    expect(urls.map(({ inputs }) => inputs.qualifier ?? 'newest').sort()).toEqual(
      apis.flatMap(() => ['live', 'newest']).sort(),
    );
    for (const { inputs } of urls) {
      expect(inputs).toMatchObject({ invokeMode: 'RESPONSE_STREAM', authorizationType: 'NONE' });
      expect(inputs.cors).toBeUndefined();
    }
  });

  test('lets its URLs be called, with both permissions that AWS asks for', () => {
    for (const name of apis) {
      const own = stack
        .of('aws:lambda/permission:Permission')
        .filter(({ inputs }) => (inputs.function as string).includes(`${toPascalCase(name)}Handler`))
        .map(({ inputs }) => [
          inputs.qualifier ?? 'newest',
          inputs.action,
          inputs.invokedViaFunctionUrl ?? inputs.functionUrlAuthType,
        ]);
      expect(own.sort()).toEqual([
        ['live', 'lambda:InvokeFunction', true],
        ['live', 'lambda:InvokeFunctionUrl', 'NONE'],
        ['newest', 'lambda:InvokeFunction', true],
        ['newest', 'lambda:InvokeFunctionUrl', 'NONE'],
      ]);
    }
  });

  test.runIf(isProduction)('has alarms and a dashboard', () => {
    const alarms = stack.of('aws:cloudwatch/metricAlarm:MetricAlarm');
    expect(alarms.map(({ name }) => name).sort()).toEqual([
      'BackgroundErrors',
      'BackgroundThrottles',
      'DeadLetterArrived',
      'DeadLettersStay',
      'DocumentsNotConverted',
      'EdgeErrorRate',
      'ErrorRate',
      'FunctionErrors',
      'FunctionThrottles',
      'ReadThrottles',
      'RunAge',
      'RunsFailed',
      'RunsInterrupted',
      'SchedulesLate',
      'SetUpNotAccepted',
      'TransactionConflicts',
      'Unreachable',
      'WebhooksNotSent',
      'WebhooksStay',
      'WriteThrottles',
    ]);
    for (const { inputs } of alarms) {
      expect(inputs.alarmActions).toHaveLength(1);
      const queries = inputs.metricQueries as { id: string; returnData: boolean }[];
      // AWS's rules for an alarm on an expression: one result, at most 10 metrics, no search.
      expect(queries.filter(({ returnData }) => returnData)).toHaveLength(1);
      expect(queries.length - 1).toBeLessThanOrEqual(10);
    }
    const metrics = alarms
      .flatMap(({ inputs }) => inputs.metricQueries as { metric?: object }[])
      .filter(({ metric }) => metric);
    const dollars = (metrics.length / 10).toFixed(2);
    const cost = `${alarms.length} alarms over ${metrics.length} metrics ($0.10 a month for each metric of an alarm, $${dollars} together)`;
    expect(page).toContain(cost);
    const dashboard = stack.one('aws:cloudwatch/dashboard:Dashboard', 'Dashboard').inputs;
    const { widgets } = JSON.parse(dashboard.dashboardBody as string) as {
      widgets: { properties: { metrics: { expression?: string }[][] } }[];
    };
    expect(widgets.length).toBeGreaterThan(8);
    const searched = widgets.flatMap(({ properties }) =>
      properties.metrics.flat().map(({ expression = '' }) => expression),
    );
    // The functions write every metric of ours that alarms and dashboard read, and none that nobody reads.
    const read = [
      ...JSON.stringify(alarms).matchAll(
        /"dimensions":\{"(\w+)":"[^"]*"\},"metricName":"(\w+)","namespace":"Errand\/production"/g,
      ),
      ...searched.join().matchAll(/SEARCH\('\{"Errand\/production",(\w+)\} MetricName="(\w+)"/g),
    ].map(([, dimension, metric]) => `${dimension} ${metric}`);
    const [ofStage] = Object.keys(wholeStage);
    const written = Object.values(countedLines).flatMap(({ lines, fields = {}, by, summed = [] }) => {
      const names = [...(lines === undefined ? [] : [lines]), ...Object.keys(fields)];
      return [
        ...names.map((name) => `${by ?? ofStage} ${name}`),
        ...summed.map((name) => `${ofStage} ${name}`),
      ];
    });
    expect(new Set(written)).toEqual(new Set(read));
  });

  test.runIf(isProduction)('has the metrics of our own that docs/cost.md tells', () => {
    const counted = Object.values(countedLines).flatMap(({ lines, fields }) => [
      ...(lines === undefined ? [] : [lines]),
      ...Object.keys(fields ?? {}),
    ]);
    const rows = page
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('| `'));
    const told = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(told).toEqual(expect.arrayContaining(counted));
    const ofAreas = Object.keys(countedLines.request?.fields ?? {}).length * apis.length;
    expect(page).toContain(`| area: ${apis.length} | ${ofAreas} |`);
  });

  test.runIf(isProduction)('says at the deploy that its alarms reach nobody', () => {
    expect(stack.outputs.alarms).toMatch(/reach nobody: set its alarmEmail/);
    expect(stack.said).toContain(stack.outputs.alarms);
  });

  test.runIf(isProduction)(
    "has an alarm for an outage between CloudFront and the functions, in the region of CloudFront's metrics",
    () => {
      const { inputs, provider } = stack.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'EdgeErrorRate');
      expect(stack.one('pulumi:providers:aws', 'EdgeMetrics').inputs).toMatchObject({ region: 'us-east-1' });
      expect(provider).toBe('EdgeMetrics');
      const topic = stack.one('aws:sns/topic:Topic', 'EdgeAlarms');
      expect(topic.provider).toBe(provider);
      expect(inputs.metricQueries).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            metric: expect.objectContaining({
              namespace: 'AWS/CloudFront',
              metricName: '5xxErrorRate',
              dimensions: { DistributionId: expect.any(String), Region: 'Global' },
            }),
          }),
        ]),
      );
    },
  );

  test.runIf(isProduction)("has room in the error rate's alarm for every further area", () => {
    const { inputs } = stack.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'ErrorRate');
    expect(inputs.metricQueries).toHaveLength(3);
  });

  test('says at the end of a deploy what has callers reach the new versions', () => {
    expect(stack.outputs.live).toBe(
      `New versions serve callers once npm run deploy -- --stage ${stage} has checked them.`,
    );
  });

  test.runIf(!isProduction)('has neither alarms nor a dashboard, which cost while nothing happens', () => {
    expect(stack.outputs).not.toHaveProperty('alarms');
    expect(stack.of('aws:route53/healthCheck:HealthCheck')).toEqual([]);
    expect(stack.of('aws:cloudwatch/metricAlarm:MetricAlarm')).toEqual([]);
    expect(stack.of('aws:cloudwatch/dashboard:Dashboard')).toEqual([]);
  });

  test('costs nothing by the hour', () => {
    const types = new Set(stack.resources.map(({ type }) => type));
    for (const billed of ['ec2', 'ecs', 'lb', 'rds', 'elasticache', 'kms', 'secretsmanager', 'wafv2'])
      expect([...types].filter((type) => type.startsWith(`aws:${billed}/`))).toEqual([]);
    expect(JSON.stringify(stack.resources)).not.toContain('provisionedConcurrent');
  });
});
