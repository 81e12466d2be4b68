import { loadCatalogue } from '@errand/models';
import { createLog, logProcess, readConfig, systemClock } from '@errand/platform';
import { createServiceDeps, type ServiceDeps } from '@errand/service';
import { meterWrites } from './meter-writes.ts';
import { withMetrics } from './metrics.ts';

export interface StartOptions {
  /** Whether the function asks models. Only such functions have the catalogue and the upstreams' keys. */
  models: boolean;
  /** Whether the function makes or checks links or ids of uploads. Only such functions have the secret that signs them. */
  links?: boolean;
}

/** Makes a function's parts once per process, from the environment and the catalogue in the bundle. */
export async function start({ models, links }: StartOptions): Promise<ServiceDeps> {
  const config = readConfig('cloud', undefined, { links });
  const log = createLog((line) => process.stdout.write(`${withMetrics(line, config.metricsNamespace)}\n`));
  // Lambda's runtime would log the error's text before it ended the process.
  logProcess(log, () => process.exit(1));
  const catalogue = models ? await loadCatalogue(config) : { models: [], roles: {} };
  const parts = createServiceDeps({ config, catalogue, clock: systemClock, log });
  meterWrites(parts.aws.dynamodb, log);
  return parts;
}
