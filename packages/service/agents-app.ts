import { roleModel } from '@errand/models';
import type { HttpEnv } from '@errand/platform';
import { agentRoutes, type RunRoutesDeps, runRoutes } from '@errand/runs';
import { fileRoutes, uploadRoutes } from '@errand/uploads';
import { valueRoutes } from '@errand/values';
import type { Hono } from 'hono';
import { accountsDeps, attachmentDeps, type Parts, runsDeps, skillsDeps, uploadDeps } from './parts.ts';

/** Runs, their files, and the values that they saved. */
export function mountAgents(
  app: Hono<HttpEnv>,
  parts: Parts,
  options: Pick<RunRoutesDeps, 'streamMilliseconds' | 'closing'> = {},
): void {
  const { config } = parts;
  const accounts = accountsDeps(parts);
  const runs = runsDeps(parts);
  const uploads = uploadDeps(parts);
  app.route('/', agentRoutes(accounts));
  app.route(
    '/',
    runRoutes({
      ...runs,
      ...uploads,
      ...attachmentDeps(parts),
      ...options,
      accounts,
      skills: skillsDeps(parts),
      agentsEnabled: config.agentsEnabled && roleModel(parts.catalogue, 'reasoning') !== undefined,
      ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    }),
  );
  app.route('/', uploadRoutes({ ...uploads, accounts }));
  app.route('/', fileRoutes({ ...runs, linkSecret: config.linkSecret }));
  app.route('/', valueRoutes({ ...runs, accounts }));
}
