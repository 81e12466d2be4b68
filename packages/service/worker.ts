import { agentMaker, deadLetterHandler, queueHandler, type WorkerDeps } from '@errand/runs';
import { runsDeps, type ServiceDeps } from './deps.ts';

/** `inlineImages` sends images themselves to the provider, which cannot follow links to a local service. */
export function workerDeps(deps: ServiceDeps, { inlineImages }: { inlineImages: boolean }): WorkerDeps {
  const { config, catalogue, upstream } = deps;
  const runs = runsDeps(deps);
  return {
    ...runs,
    leaseMilliseconds: config.runLeaseSeconds * 1000,
    makeAgent: agentMaker({
      ...runs,
      catalogue,
      upstream,
      web: { allowedHosts: config.fetchAllowedHosts },
      search: config.search,
      documentConversionEnabled: config.documentConversionEnabled,
      fileExportEnabled: config.fileExportEnabled,
      linkSecret: config.linkSecret,
      inlineImages,
    }),
  };
}

/** Handles messages of the work queue. */
export const workHandler = (deps: ServiceDeps, options: { inlineImages: boolean }) =>
  queueHandler(workerDeps(deps, options));

/** Handles messages of the dead-letter queue. */
export const deadLettersHandler = (deps: ServiceDeps) => deadLetterHandler(runsDeps(deps));
