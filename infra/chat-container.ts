import { type ContainerShape, createContainer, leastContainers, scaleByOpen } from './container.ts';
import type { Surroundings } from './create-function.ts';
import { chatHostOf, type Network } from './network.ts';

/** A bound on what a stage can cost: 3,000 streams at once. */
const mostContainers = 50;

export const chatShape: ContainerShape = {
  cpu: '0.25 vCPU',
  memory: '1 GB',
  entry: 'chat-container',
  like: 'chat',
};
/** Half of a container's CPU: the other half is for chunks that come at the same time. */
const cpuUtilization = 50;
/** What takes half of the CPU in test/bench/cost/container.ts. */
export const streamsWanted = 60;

/**
 * If the stage's settings ask for it, serves chat in containers. Returns their host, which is known once they take requests, and the
 * balancer.
 */
export function createChatContainer(
  surroundings: Surroundings,
  network: Network | undefined,
): { host: $util.Output<string>; balancer: sst.aws.Service['nodes']['loadBalancer'] } | undefined {
  const domain = chatHostOf(surroundings.settings);
  if (!domain || !network) return undefined;
  const id = 'ChatContainers';
  const scaling = { min: leastContainers, max: mostContainers, cpuUtilization };
  const service = createContainer(id, chatShape, { surroundings, network, domain, scaling });
  scaleByOpen(id, service, 'chat', streamsWanted);
  return { host: service.nodes.service.id.apply(() => domain), balancer: service.nodes.loadBalancer };
}
