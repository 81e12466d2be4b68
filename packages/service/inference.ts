import type { Charge } from '@errand/accounts';
import { createCarbonIntensity, type ImpactDeps, type UpstreamDeps } from '@errand/models';
import { deferCharge } from '@errand/runs';
import type { Parts } from './parts.ts';

/** What every room takes that asks a model within a request. Made once: it keeps the hour's carbon intensity. */
export interface Inference extends UpstreamDeps, ImpactDeps {
  deferCharge(charge: Charge): Promise<void>;
}

export function createInference({ upstream, clock, log, config, aws }: Parts): Inference {
  return {
    ...upstream,
    carbonIntensity: createCarbonIntensity({ clock, log, carbon: config.carbon }),
    deferCharge: (charge) => deferCharge({ sqs: aws.sqs, queueUrl: config.aws.queueUrl }, charge),
  };
}
