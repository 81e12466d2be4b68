import type { ImpactDeps, UpstreamDeps } from '@errand/models';
import type { Charge } from '@errand/money';
import { chargeKeeper, type ServiceDeps } from './deps.ts';

/** The deps of chat and decisions for asking models. */
export interface Inference extends UpstreamDeps, ImpactDeps {
  deferCharge(charge: Charge): Promise<void>;
}

export function createInference(deps: ServiceDeps): Inference {
  const { upstream, carbonIntensity } = deps;
  return { ...upstream, carbonIntensity, deferCharge: chargeKeeper(deps) };
}
