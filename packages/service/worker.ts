import {
  agentMaker,
  deadLetterHandler,
  invocationHandler,
  type TakingWindow,
  type WorkerDeps,
  type WorkerProcess,
} from '@errand/runs';
import { webhookHandler } from '@errand/webhooks';
import { payingDeps, runsDeps, type ServiceDeps, whenCharged } from './deps.ts';
import { documentReader } from './documents.ts';
import { createJudge } from './judge.ts';

export function workerDeps(deps: ServiceDeps, process?: WorkerProcess): WorkerDeps {
  const { config, catalogue, upstream, carbonIntensity } = deps;
  const runs = runsDeps(deps);
  return {
    ...runs,
    leaseMilliseconds: config.runLeaseSeconds * 1000,
    process,
    wait: runs.clock.wait,
    makeAgent: agentMaker({
      ...runs,
      catalogue,
      upstream: { ...upstream, carbonIntensity },
      accounts: payingDeps(deps),
      web: { allowedHosts: config.fetchAllowedHosts },
      search: config.search,
      documents: documentReader(deps),
      documentConversionEnabled: config.documentConversionEnabled,
      fileExportEnabled: config.fileExportEnabled,
      linkSecret: config.linkSecret,
      patienceMilliseconds: config.upstreamPatienceSeconds * 1000,
      judge: (model, log) => createJudge({ ...upstream, carbonIntensity, log }, model),
      proofThreshold: config.runProofThreshold,
    }),
  };
}

/** Handles messages of the work queue in a function. When it answers, nothing is left that would go on in its next invocation. */
export const workHandler = (deps: ServiceDeps) => {
  const handle = invocationHandler(workerDeps(deps), deps.config.runsPerInvocation);
  return async (event: Parameters<typeof handle>[0], window: TakingWindow) => {
    const answer = await handle(event, window);
    await whenCharged(deps);
    return answer;
  };
};

/** Handles messages of the queue of webhooks. When `stopping` aborts, deliveries that are being sent stay in the queue. */
export const sendHandler = (deps: ServiceDeps, stopping?: AbortSignal) =>
  webhookHandler({
    ...runsDeps(deps),
    web: { allowedHosts: deps.config.fetchAllowedHosts },
    stopping,
  });

/** Handles messages of the dead-letter queue. */
export const deadLettersHandler = (deps: ServiceDeps) => deadLetterHandler(runsDeps(deps));
