import { createContainer, scaleByOpen } from './container.ts';
import {
  chatCpuPercent,
  containerShapes,
  leastContainers,
  mostChatContainers,
  streamsWanted,
} from './container-shapes.ts';
import type { Surroundings } from './create-function.ts';
import { chatHostOf, type Network } from './network.ts';

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
  const scaling = { min: leastContainers, max: mostChatContainers, cpuUtilization: chatCpuPercent };
  const service = createContainer(id, containerShapes.chat, { surroundings, network, domain, scaling });
  scaleByOpen(id, service, 'chat', streamsWanted);
  return { host: service.nodes.service.id.apply(() => domain), balancer: service.nodes.loadBalancer };
}
