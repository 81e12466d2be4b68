import { createLog, limits } from '@errand/platform';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { countOpen } from '../../functions/container/count-open.ts';
import { linesOfContainers, withMetrics } from '../../functions/lambda/metrics.ts';
import { runsOfContainer, shareOut } from '../../infra/container-shapes.ts';
import { functionShapes } from '../../infra/functions.ts';

import { fires, readLines } from '../support/sst/alarm.ts';
import { routesOf, startEdge } from '../support/sst/edge.ts';
import { expectedStatements, policyOf } from '../support/sst/policies.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack, unwrap } from '../support/sst/stack.ts';

const containers = { chat: { domain: 'chat.example.com' }, workers: true };
const vpc = { subnets: ['subnet-0a1b'], securityGroups: ['sg-0a1b'] };

test.each([2, 10, 33, 100, 1_000])(
  '%i runs at once are shared out, and no container has too many',
  (runs) => {
    const { containers: count, runs: each } = shareOut(runs);
    expect(count).toBeGreaterThanOrEqual(2);
    expect(each).toBeGreaterThanOrEqual(1);
    expect(each).toBeLessThanOrEqual(runsOfContainer);
    expect(count * each).toBeLessThanOrEqual(runs);
    expect(count * each).toBeGreaterThan(runs - count);
  },
);

describe.skipIf(!canEvaluate)('a stage with containers', () => {
  let stack: Stack;
  let besideModels: Stack;
  let live: Stack;
  beforeAll(async () => {
    stack = await evaluate('production', { changes: { domain: 'api.example.com', containers } });
    besideModels = await evaluate('somebody', { changes: { containers: { workers: true }, vpc } });
    live = await evaluate('somebody', { changes: { containers }, dev: true });
  }, 3 * evaluationMilliseconds);

  const service = (id: string, of = stack) => of.one('aws:ecs/service:Service', `${id}Service`);
  const container = (id: string) => {
    const task = stack.one('aws:ecs/taskDefinition:TaskDefinition', `${id}Task`).inputs;
    const [only, ...others] = JSON.parse(unwrap<string>(task.containerDefinitions)) as {
      command: string[];
      stopTimeout: number;
      healthCheck?: { command: string[] };
      environment: { name: string; value: string }[];
    }[];
    expect(others).toEqual([]);
    const environment = Object.fromEntries(only!.environment.map(({ name, value }) => [name, value]));
    return { ...only!, environment };
  };
  const group = (name: string) => stack.one('aws:ec2/securityGroup:SecurityGroup', name).inputs;
  const askEdge = (uri: string, secret?: string) =>
    startEdge(stack, { uri, headers: secret ? { 'x-origin-secret': { value: secret } } : {} }).result;

  test.each([
    ['ChatContainers', 'chat-container', 'chat'],
    ['WorkerContainers', 'worker-container', 'worker'],
  ] as const)('has %s, at least two, that may do what its function may, and no shell', (id, entry, like) => {
    expect(container(id).command).toEqual(['node', `functions/${entry}.ts`]);
    const { inputs, ignored } = service(id);
    expect(inputs).toMatchObject({
      enableExecuteCommand: false,
      deploymentCircuitBreaker: { enable: true, rollback: true },
      waitForSteadyState: true,
    });
    // Scaling has changed the number by the next deploy.
    expect(ignored).toContain('desiredCount');
    const { minCapacity } = stack.one('aws:appautoscaling/target:Target', `${id}AutoScalingTarget`).inputs;
    expect(unwrap(minCapacity)).toBe(2);
    const { statements } = policyOf(stack.one('aws:iam/role:Role', `${id}TaskRole`).inputs);
    expect(statements).toEqual(expectedStatements(like).filter(([name]) => !name.startsWith('log of')));
    const starter = stack.one('aws:iam/role:Role', `${id}ExecutionRole`).inputs;
    expect(starter.inlinePolicies).toEqual([]);
    const log = stack.one('aws:cloudwatch/logGroup:LogGroup', `${id}LogGroup${id}`).inputs;
    expect(log).toMatchObject({ name: `/errand/production/${entry}`, retentionInDays: 90 });
  });

  test.each([
    ['ChatContainers', 'ChatHandler'],
    ['WorkerContainers', 'WorkerHandler'],
  ])('tells %s what its function is told', (id, handler) => {
    const { environment } = stack.one('aws:lambda/function:Function', `${handler}Function`).inputs;
    const { variables } = unwrap<{ variables: Record<string, string> }>(environment);
    const { environment: told } = container(id);
    const ofLambda = ['MODEL_CATALOGUE', 'SST_RESOURCE_App'];
    const shared = Object.entries(variables).filter(([name]) => name in told && !ofLambda.includes(name));
    expect(told).toMatchObject(Object.fromEntries(shared));
    const ofInvocations = /^(SST_|NODE_|RUNS_PER_INVOCATION$)/;
    const untold = Object.keys(variables).filter((name) => !(name in told) && !ofInvocations.test(name));
    expect(untold).toEqual([]);
  });

  test('gives containers longer to end than their processes take', () => {
    const { containerGraceMilliseconds, stopSeconds, shutdownGraceMilliseconds } = limits;
    const needed = (containerGraceMilliseconds - shutdownGraceMilliseconds) / 1_000 + stopSeconds;
    for (const id of ['ChatContainers', 'WorkerContainers'])
      expect(container(id).stopTimeout).toBeGreaterThan(needed);
    // Fargate's own bound.
    expect(container('ChatContainers').stopTimeout).toBeLessThanOrEqual(120);
  });

  test('lets in only CloudFront, by TLS, and from the network only what asks the port', () => {
    const listeners = stack.of('aws:lb/listener:Listener');
    expect(listeners.map(({ inputs }) => [inputs.port, inputs.protocol, inputs.sslPolicy])).toEqual([
      [443, 'HTTPS', 'ELBSecurityPolicy-TLS13-1-2-2021-06'],
    ]);
    expect(group('ChatContainersLoadBalancerSecurityGroup').ingress).toEqual([
      {
        protocol: 'tcp',
        fromPort: 443,
        toPort: 443,
        prefixListIds: ['pl-of-com.amazonaws.global.cloudfront.origin-facing'],
      },
    ]);
    expect(group('ChatContainersSecurityGroup').ingress).toEqual([
      { protocol: 'tcp', fromPort: 8080, toPort: 8080, cidrBlocks: ['10.0.0.0/16'] },
    ]);
    expect(group('WorkerContainersSecurityGroup').ingress).toEqual([]);
    for (const id of ['ChatContainers', 'WorkerContainers'])
      expect(service(id).inputs.networkConfiguration).toMatchObject({
        securityGroups: [`${id}SecurityGroup-id`],
        subnets: ['NetworkPublicSubnet1-id', 'NetworkPublicSubnet2-id'],
      });
    expect(service('WorkerContainers').inputs.loadBalancers).toEqual([]);
    expect(stack.of('aws:ec2/natGateway:NatGateway')).toEqual([]);
  });

  test('keeps a silent stream, and lets a container that is replaced end its answers', () => {
    const balancer = stack.one('aws:lb/loadBalancer:LoadBalancer', 'ChatContainersLoadBalancer').inputs;
    expect((balancer.idleTimeout as number) * 1_000).toBeGreaterThan(2 * limits.keepAliveMilliseconds);
    // CloudFront's own bound on its wait for an origin.
    expect(balancer.idleTimeout).toBeGreaterThan(120);
    const [target] = stack.of('aws:lb/targetGroup:TargetGroup');
    expect(target?.inputs).toMatchObject({
      deregistrationDelay: functionShapes.chat.timeoutSeconds,
      healthCheck: { path: '/healthz', matcher: '200' },
      loadBalancingAlgorithmType: 'least_outstanding_requests',
    });
    expect(service('ChatContainers').inputs.healthCheckGracePeriodSeconds).toBe(60);
  });

  test('scales each by what it has open, which its containers log', () => {
    const [metricName] = Object.keys(linesOfContainers['work in a container']?.fields ?? {});
    for (const [id, area] of [
      ['ChatContainers', 'chat'],
      ['WorkerContainers', 'worker'],
    ])
      expect(
        stack.one('aws:appautoscaling/policy:Policy', `${id}AutoScalingOpenPolicy`).inputs,
      ).toMatchObject({
        policyType: 'TargetTrackingScaling',
        targetTrackingScalingPolicyConfiguration: {
          customizedMetricSpecification: {
            namespace: 'Errand/production',
            metricName,
            dimensions: [{ name: 'area', value: area }],
            statistic: 'Average',
          },
        },
      });
    const { containers: most, runs } = shareOut(100);
    const { maxCapacity } = stack.one(
      'aws:appautoscaling/target:Target',
      'WorkerContainersAutoScalingTarget',
    ).inputs;
    expect(unwrap(maxCapacity)).toBe(most);
    expect(container('WorkerContainers').environment.RUNS_AT_ONCE).toBe(String(runs));
  });

  test("sends all paths of chat to the containers, once they accept its secret, and the deploy's checks to the newest function", async () => {
    for (const path of functionShapes.chat.paths) {
      const { origin, answer } = await askEdge(`${path}/x`);
      expect(origin?.domainName).toBe('chat.example.com');
      expect(answer.headers['x-origin-secret']?.value).toMatch(/^OriginSecret-/);
    }
    expect((await askEdge('/v1/agents')).origin?.domainName).toMatch(/lambda-url/);
    const secret = routesOf(stack).get('chat')?.split(' ')[1];
    const next = await askEdge('/v1/models', secret);
    expect(next.origin?.domainName).toBe('chathandlerurl.lambda-url.eu-central-1.on.aws');
    const { environment } = container('ChatContainers');
    expect(environment.ORIGIN_SECRET?.split(',')).toContain(secret);
    const routes = stack.of('aws:cloudfront/keyvaluestoreKeysExclusive:KeyvaluestoreKeysExclusive');
    expect(routes[0]?.after).toContain('ChatContainersService');
  });

  test('stops the queue from calling the worker function, which stays for the way back, and bounds runs as before', () => {
    const work = stack
      .of('aws:lambda/eventSourceMapping:EventSourceMapping')
      .find(({ name }) => name.startsWith('Work'));
    expect(work?.inputs).toMatchObject({ enabled: false });
    expect(stack.outputs).not.toHaveProperty('concurrency');
    const health = container('WorkerContainers').healthCheck?.command.join(' ');
    expect(health).toContain('/tmp/errand-heartbeat');
  });

  test('has alarms for containers that are missing and for their balancer, and shows what is open', () => {
    const alarms = stack.of('aws:cloudwatch/metricAlarm:MetricAlarm');
    const added = ['ChatBalancerErrors', 'ChatContainersMissing', 'WorkerContainersMissing'];
    expect(alarms.map(({ name }) => name)).toEqual(expect.arrayContaining(added));
    const [interrupted] = alarms.filter(({ name }) => name === 'RunsInterrupted');
    expect(JSON.stringify(interrupted?.inputs)).toContain('NumberOfMessagesDeleted');
    const dashboard = stack.one('aws:cloudwatch/dashboard:Dashboard', 'Dashboard').inputs.dashboardBody;
    expect(dashboard).toContain('area} MetricName=\\"open\\"');
  });

  test.each([
    ['ChatContainersMissing', 'chat'],
    ['WorkerContainersMissing', 'worker'],
  ])('%s goes off when one of two containers has told nothing for ten minutes', (name, area) => {
    const alarm = stack.one('aws:cloudwatch/metricAlarm:MetricAlarm', name);
    const log: Record<string, unknown>[] = [];
    const told = (containers: number) => {
      log.length = 0;
      vi.useFakeTimers();
      const write = createLog((line) => void log.push(JSON.parse(withMetrics(line, 'Errand/production'))));
      const ends = Array.from({ length: containers }, () => countOpen(write, area, () => 3));
      vi.advanceTimersByTime(10 * 60_000);
      for (const end of ends) end();
      vi.advanceTimersByTime(10 * 60_000);
      vi.useRealTimers();
      return readLines(log);
    };
    expect(fires(alarm, told(2))).toBe(false);
    expect(log).toHaveLength(20);
    expect(log[0]).toMatchObject({ area, open: 3 });
    expect(fires(alarm, told(1))).toBe(true);
    expect(fires(alarm, told(0))).toBe(true);
  });

  test('has its workers stand in the network of its model servers, with no address of their own', () => {
    expect(service('WorkerContainers', besideModels).inputs).toMatchObject({
      networkConfiguration: { ...vpc, assignPublicIp: false },
    });
    expect(service('WorkerContainers', besideModels).inputs.serviceRegistries).toBeUndefined();
    expect(besideModels.of('aws:lb/loadBalancer:LoadBalancer')).toEqual([]);
  });

  test("has none in live development, where functions on the developer's machine serve", () => {
    expect(live.of('aws:ecs/service:Service')).toEqual([]);
    expect(live.of('aws:ec2/vpc:Vpc')).toEqual([]);
    for (const { inputs } of live.of('aws:lambda/eventSourceMapping:EventSourceMapping'))
      expect(inputs.enabled ?? true).toBe(true);
  });
});
