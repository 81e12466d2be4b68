import { agentMaker, deadLetterHandler, queueHandler, type WorkerDeps } from '@errand/runs';
import { type Parts, runsDeps } from './parts.ts';

/** `inlineImages`: the provider cannot follow links to this machine. */
export function workerDeps(parts: Parts, { inlineImages }: { inlineImages: boolean }): WorkerDeps {
  const { config, catalogue, upstream } = parts;
  const runs = runsDeps(parts);
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

/** Works off the queue's messages. */
export const workHandler = (parts: Parts, options: { inlineImages: boolean }) =>
  queueHandler(workerDeps(parts, options));

/** Works off the messages that the queue gave up on. */
export const deadLettersHandler = (parts: Parts) => deadLetterHandler(runsDeps(parts));
