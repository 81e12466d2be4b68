import { createContainer } from './container.ts';
import { containerShapes } from './container-shapes.ts';
import type { Surroundings } from './create-function.ts';
import type { Network } from './network.ts';

/**
 * If the stage's settings ask for it, runs the agents' app in a container for forms that are too large for Lambda. Returns
 * its host, which is known once the container takes requests. In live development, too, the router sends forms here.
 */
export function createLargeUploads(
  surroundings: Surroundings,
  network: Network | undefined,
): $util.Output<string> | undefined {
  const { largeUploads } = surroundings.settings;
  if (!largeUploads || !network) return undefined;
  const { domain } = largeUploads;
  const { nodes } = createContainer('LargeUploads', containerShapes.uploads, {
    surroundings,
    network,
    domain,
  });
  return nodes.service.id.apply(() => domain);
}
