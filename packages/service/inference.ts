import type { Charge } from '@errand/accounts';
import { createCarbonIntensity, type ImpactDeps, type UpstreamDeps } from '@errand/models';
import { deferCharge } from '@errand/runs';
import type { ServiceDeps } from './deps.ts';

/**
 * The deps of chat and decisions for asking models, made once per process, because they cache the hour's carbon
 * intensity.
 */
export interface Inference extends UpstreamDeps, ImpactDeps {
  deferCharge(charge: Charge): Promise<void>;
}

export function createInference(deps: ServiceDeps): Inference {
  const { upstream, clock, log, config, aws } = deps;
  const queue = { sqs: aws.sqs, queueUrl: config.aws.queueUrl };
  return {
    ...upstream,
    carbonIntensity: createCarbonIntensity({ clock, log, carbon: config.carbon }),
    deferCharge: deps.deferCharge ?? ((charge) => deferCharge(queue, charge)),
  };
}
