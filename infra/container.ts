import { balanced, containerPort } from './balancer.ts';
import type { ContainerShape } from './container-shapes.ts';
import { environmentOf, type Surroundings } from './create-function.ts';
import { metricsNamespace } from './metrics-namespace.ts';
import type { Network } from './network.ts';
import { logDaysOf, nameOfLog } from './own-log.ts';
import { permissions } from './permissions.ts';
import { toStatements } from './statements.ts';

interface ContainerOptions {
  surroundings: Surroundings;
  network: Network;
  /** Where requests come in. Absent: nothing does. */
  domain?: string;
  scaling?: sst.aws.ServiceArgs['scaling'];
  health?: sst.aws.ServiceArgs['health'];
  environment?: Record<string, $util.Input<string>>;
}

/** The longest that AWS waits between SIGTERM and the end. */
const stopSeconds = 120;

/** Makes containers that run an entry as `npm start` would, with the permissions of a function and no more. */
export function createContainer(
  id: string,
  { cpu, memory, entry, like }: ContainerShape,
  { surroundings, network, domain, environment, ...more }: ContainerOptions,
): sst.aws.Service {
  const { settings, stores, converter } = surroundings;
  const balancer = domain === undefined ? undefined : balanced(domain);
  const place = placeOf(id, surroundings, network, domain !== undefined);
  return new sst.aws.Service(id, {
    ...more,
    cluster: network.cluster,
    // Another secret of the edge is sent only to containers that accept it.
    wait: true,
    architecture: 'arm64',
    dev: false,
    cpu,
    memory,
    image: { context: '.', dockerfile: 'infra/container.Dockerfile' },
    command: ['node', `functions/${entry}.ts`],
    loadBalancer: balancer?.loadBalancer,
    logging: { name: nameOfLog(entry), retention: logDaysOf(settings) === 90 ? '3 months' : '1 week' },
    environment: {
      ...environmentOf(like, surroundings, settings.catalogue),
      ...environment,
      HOST: '0.0.0.0',
      PORT: String(containerPort),
      AWS_REGION: settings.region,
    },
    transform: {
      ...balancer?.transform,
      // SST 4.17 would let the execution role read every secret of the account, and let people open a shell.
      executionRole: { inlinePolicies: [] },
      taskRole: {
        inlinePolicies: [
          { name: 'inline', policy: documentOf(toStatements(permissions[like], stores, converter)) },
        ],
      },
      taskDefinition: allowToEnd,
      service(service, options) {
        service.enableExecuteCommand = false;
        Object.assign(service, place);
        // A deploy would go back to the least.
        options.ignoreChanges = ['desiredCount'];
      },
    },
  });
}

const documentOf = (statements: ReturnType<typeof toStatements>): $util.Output<string> =>
  aws.iam.getPolicyDocumentOutput({ statements }).json;

function allowToEnd(task: aws.ecs.TaskDefinitionArgs): undefined {
  task.containerDefinitions = $util
    .output(task.containerDefinitions)
    .apply((text) =>
      JSON.stringify(
        (JSON.parse(text) as object[]).map((container) => ({ ...container, stopTimeout: stopSeconds })),
      ),
    );
}

/** Containers that nobody calls stand in the network of the stage's model servers, if there is one. */
function placeOf(
  id: string,
  { settings: { vpc } }: Surroundings,
  network: Network,
  isCalled: boolean,
): Partial<aws.ecs.ServiceArgs> {
  if (vpc && !isCalled)
    return {
      networkConfiguration: {
        subnets: vpc.subnets,
        securityGroups: vpc.securityGroups,
        assignPublicIp: false,
      },
      serviceRegistries: undefined,
    };
  const everywhere = { protocol: '-1', fromPort: 0, toPort: 0, cidrBlocks: ['0.0.0.0/0'] };
  const port = { protocol: 'tcp', fromPort: containerPort, toPort: containerPort };
  const group = new aws.ec2.SecurityGroup(`${id}SecurityGroup`, {
    vpcId: network.vpc.id,
    egress: [everywhere],
    // Nothing but containers and their balancers stands in the network.
    ingress: isCalled ? [{ ...port, cidrBlocks: [network.vpc.nodes.vpc.cidrBlock] }] : [],
  });
  const { publicSubnets: subnets } = network.vpc;
  return {
    networkConfiguration: { subnets, securityGroups: [group.id], assignPublicIp: true },
    // Until its first health check succeeds, a container is given so long.
    ...(isCalled && { healthCheckGracePeriodSeconds: 60 }),
  };
}

/** Keeps the average of what a container has in work at `wanted`. Its CPU does not tell that: a container uses little of it while it waits. */
export function scaleByOpen(id: string, { nodes }: sst.aws.Service, area: string, wanted: number): void {
  const { serviceNamespace, scalableDimension, resourceId } = nodes.autoScalingTarget;
  new aws.appautoscaling.Policy(`${id}AutoScalingOpenPolicy`, {
    serviceNamespace,
    scalableDimension,
    resourceId,
    policyType: 'TargetTrackingScaling',
    targetTrackingScalingPolicyConfiguration: {
      customizedMetricSpecification: {
        namespace: metricsNamespace(),
        metricName: 'open',
        dimensions: [{ name: 'area', value: area }],
        statistic: 'Average',
      },
      targetValue: wanted,
    },
  });
}
