import { roleModel } from '@errand/models';
import type { HttpEnv } from '@errand/platform';
import { agentRoutes, runRoutes, runStreamRoutes, type StreamRoutesDeps } from '@errand/runs';
import { fileRoutes, uploadRoutes } from '@errand/uploads';
import { valueRoutes } from '@errand/values';
import type { Hono } from 'hono';
import { accountsDeps, attachmentDeps, runsDeps, type ServiceDeps, skillsDeps, uploadDeps } from './deps.ts';

/** Mounts the routes of runs, uploads, files and saved values, without the streams of runs. */
export function mountAgents(app: Hono<HttpEnv>, deps: ServiceDeps): void {
  const { config } = deps;
  const accounts = accountsDeps(deps);
  const reasoningModel = roleModel(deps.catalogue, 'reasoning');
  const speechModel = roleModel(deps.catalogue, 'speech');
  const runs = runsDeps(deps);
  const uploads = uploadDeps(deps);
  app.route('/', agentRoutes(accounts));
  app.route(
    '/',
    runRoutes({
      ...runs,
      ...uploads,
      ...attachmentDeps(deps),
      accounts,
      skills: skillsDeps(deps),
      agentsEnabled: config.agentsEnabled && reasoningModel !== undefined,
      catalogue: deps.catalogue,
      runProof: config.runProof,
      ...(speechModel && { speechModel }),
      ...(config.runMaxCredits !== undefined && { runMaxCredits: config.runMaxCredits }),
      ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    }),
  );
  app.route('/', uploadRoutes({ ...uploads, accounts }));
  app.route('/', fileRoutes({ ...runs, linkSecret: config.linkSecret }));
  app.route('/', valueRoutes({ ...runs, accounts }));
}

/** Mounts the streams of runs. */
export const mountRunStreams = (
  app: Hono<HttpEnv>,
  deps: ServiceDeps,
  options: Pick<StreamRoutesDeps, 'streamMilliseconds' | 'draining'> = {},
): void => {
  app.route('/', runStreamRoutes({ ...runsDeps(deps), ...options, accounts: accountsDeps(deps) }));
};
