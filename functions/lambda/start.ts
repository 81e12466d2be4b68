import { loadCatalogue } from '@errand/models';
import { createLog, readConfig, systemClock } from '@errand/platform';
import { createServiceDeps, type ServiceDeps } from '@errand/service';
import { meterWrites } from './meter-writes.ts';
import { withMetrics } from './metrics.ts';

export interface StartOptions {
  /** Whether the function asks models: only such functions are given the catalogue and the upstreams' keys. */
  models: boolean;
}

/** What a function is made from, once per process: the environment, the catalogue in the bundle, AWS's clients. */
export async function start({ models }: StartOptions): Promise<ServiceDeps> {
  const config = readConfig('cloud');
  const log = createLog((line) => process.stdout.write(`${withMetrics(line, config.metricsNamespace)}\n`));
  const catalogue = models ? await loadCatalogue(config) : { models: [], roles: {} };
  const parts = createServiceDeps({ config, catalogue, clock: systemClock, log });
  meterWrites(parts.aws.dynamodb, log);
  return parts;
}
