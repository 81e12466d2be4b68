import type { Charge } from '@errand/accounts';
import { createCarbonIntensity, type ImpactDeps, type UpstreamDeps } from '@errand/models';
import type { ServiceDeps } from './deps.ts';

/**
 * The deps of chat and decisions for asking models, made once per process, because they cache the hour's carbon
 * intensity.
 */
export interface Inference extends UpstreamDeps, ImpactDeps {
  deferCharge(charge: Charge): Promise<void>;
}

export function createInference({ upstream, clock, log, config, deferCharge }: ServiceDeps): Inference {
  return {
    ...upstream,
    carbonIntensity: createCarbonIntensity({ clock, log, carbon: config.carbon }),
    deferCharge,
  };
}
