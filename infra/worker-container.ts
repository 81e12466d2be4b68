import { heartbeatFile } from '../functions/container/heartbeat.ts';
import { createContainer, scaleByOpen } from './container.ts';
import { containerShapes, leastContainers, runsWanted, shareOut } from './container-shapes.ts';
import type { Surroundings } from './create-function.ts';
import { hasWorkerContainers, type Network } from './network.ts';

/** If the stage's settings ask for it, works on runs in containers. Nothing can call them. */
export function createWorkerContainer(surroundings: Surroundings, network: Network | undefined): void {
  const { settings } = surroundings;
  if (!hasWorkerContainers(settings) || !network) return;
  const { containers, runs } = shareOut(settings.runsAtOnce);
  const id = 'WorkerContainers';
  const service = createContainer(id, containerShapes.workers, {
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
  scaleByOpen(id, service, 'worker', runsWanted(runs));
}
