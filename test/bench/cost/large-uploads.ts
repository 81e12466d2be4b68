import { canEvaluate, evaluate, unwrap } from '../../support/sst/stack.ts';
import { table } from '../figures.ts';
import { monthOfContainers } from './container.ts';

const changes = { domain: 'api.example.com', largeUploads: { domain: 'uploads.example.com' } };

/** A month of the container for large forms, read from the evaluated stack. */
export async function largeUploadsTable(): Promise<string> {
  if (!canEvaluate)
    return 'The container for large forms: not computed, since the stack cannot be evaluated.';
  const stack = await evaluate('production', { changes });
  const { cpu, memory } = stack.one('aws:ecs/taskDefinition:TaskDefinition', /LargeUploads/).inputs;
  const service = stack.one('aws:ecs/service:Service', /LargeUploads/).inputs;
  const { assignPublicIp } = unwrap<{ assignPublicIp: boolean }>(service.networkConfiguration);
  const { subnets, internal } = stack.one('aws:lb/loadBalancer:LoadBalancer', /LargeUploads/).inputs;
  const containers = unwrap<number>(service.desiredCount);
  const balancerAddresses = unwrap<boolean>(internal) ? 0 : unwrap<string[]>(subnets).length;
  if (!assignPublicIp || stack.of('aws:ec2/natGateway:NatGateway').length > 0)
    throw new Error('the container reaches the internet in another way than the table says');
  const container = { cpus: Number(unwrap(cpu)) / 1_024, gigabytes: Number(unwrap(memory)) / 1_024 };
  const month = monthOfContainers({
    container,
    containers,
    balancer: { addresses: balancerAddresses },
  });
  const dollars = (amount: number) => `$${amount.toFixed(2)}`;
  return table(
    ['the container for large forms', 'a month'],
    [
      [
        `${containers} container of ${container.cpus} vCPU and ${container.gigabytes} GB, arm64`,
        dollars(month.compute),
      ],
      ['load balancer, without traffic', dollars(month.balancer)],
      [
        `${month.publicAddresses} public addresses (${balancerAddresses} of the load balancer, ${containers} of the container)`,
        dollars(month.addresses),
      ],
      ['together', dollars(month.all)],
    ],
  );
}
