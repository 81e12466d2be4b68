import type { Charge } from '@errand/accounts';
import type { ImpactDeps, UpstreamDeps } from '@errand/models';
import { deferCharge } from '@errand/runs';
import type { ServiceDeps } from './deps.ts';

/** The deps of chat and decisions for asking models. */
export interface Inference extends UpstreamDeps, ImpactDeps {
  deferCharge(charge: Charge): Promise<void>;
}

export function createInference(deps: ServiceDeps): Inference {
  const { upstream, carbonIntensity, config, aws } = deps;
  const queue = { sqs: aws.sqs, queueUrl: config.aws.queueUrl };
  return {
    ...upstream,
    carbonIntensity,
    deferCharge: deps.deferCharge ?? ((charge) => deferCharge(queue, charge)),
  };
}
