import type { Settings } from './settings.ts';

export interface Network {
  vpc: sst.aws.Vpc;
  cluster: sst.aws.Cluster;
}

/** Whether the stage's workers are containers. Live development runs the function in their place. */
export const hasWorkerContainers = ({ containers }: Pick<Settings, 'containers'>): boolean =>
  !$dev && containers?.workers === true;

/** The host of the stage's containers for chat. */
export const chatHostOf = ({ containers }: Pick<Settings, 'containers'>): string | undefined =>
  $dev ? undefined : containers?.chat?.domain;

/**
 * If the stage has containers, makes their network: public subnets in two zones. A NAT gateway in each zone would cost as much as the
 * addresses of 18 containers, and besides by the gigabyte.
 */
export function createNetwork(settings: Settings): Network | undefined {
  if (!settings.largeUploads && !chatHostOf(settings) && !hasWorkerContainers(settings)) return undefined;
  const vpc = new sst.aws.Vpc('Network');
  return { vpc, cluster: new sst.aws.Cluster('Containers', { vpc }) };
}
