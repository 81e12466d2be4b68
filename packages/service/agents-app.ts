import type { HttpEnv } from '@errand/platform';
import { agentRoutes, fileRoutes, runRoutes, valueRoutes } from '@errand/runs';
import type { Hono } from 'hono';
import { accountsDeps, type Parts, runsDeps, skillsDeps } from './parts.ts';

/** Runs, their files, and the values that they saved. */
export function mountAgents(
  app: Hono<HttpEnv>,
  parts: Parts,
  options: { streamMilliseconds?: number } = {},
): void {
  const { config } = parts;
  const accounts = accountsDeps(parts);
  const runs = runsDeps(parts);
  app.route('/', agentRoutes(accounts));
  app.route(
    '/',
    runRoutes({
      ...runs,
      ...options,
      accounts,
      skills: skillsDeps(parts),
      agentsEnabled: config.agentsEnabled,
      ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    }),
  );
  app.route('/', fileRoutes({ ...runs, linkSecret: config.linkSecret }));
  app.route('/', valueRoutes({ ...runs, accounts }));
}
