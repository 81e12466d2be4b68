import { heartbeatFile } from '../functions/container/heartbeat.ts';
import { type ContainerShape, createContainer, leastContainers, scaleByOpen } from './container.ts';
import type { Surroundings } from './create-function.ts';
import { hasWorkerContainers, type Network } from './network.ts';

export const workerShape: ContainerShape = {
  cpu: '0.5 vCPU',
  memory: '2 GB',
  entry: 'worker-container',
  like: 'worker',
};

/** The most runs that one container works on at once. */
export const runsOfContainer = 32;

/** As many containers as the stage's runs need, with as many runs each. */
export function shareOut(runsAtOnce: number): { containers: number; runs: number } {
  const containers = Math.max(leastContainers, Math.ceil(runsAtOnce / runsOfContainer));
  return { containers, runs: Math.floor(runsAtOnce / containers) };
}

/** If the stage's settings ask for it, works on runs in containers. Nothing can call them. */
export function createWorkerContainer(surroundings: Surroundings, network: Network | undefined): void {
  const { settings } = surroundings;
  if (!hasWorkerContainers(settings) || !network) return;
  const { containers, runs } = shareOut(settings.runsAtOnce);
  const id = 'WorkerContainers';
  const service = createContainer(id, workerShape, {
    surroundings,
    network,
    scaling: { min: leastContainers, max: containers },
    environment: { RUNS_AT_ONCE: String(runs) },
    health: {
      command: ['CMD-SHELL', `test -n "$(find ${heartbeatFile} -mmin -2)"`],
      startPeriod: '60 seconds',
      interval: '30 seconds',
    },
  });
  // Runs must not wait for a place while containers can be had.
  scaleByOpen(id, service, 'worker', Math.max(1, Math.floor(runs * 0.7)));
}
