import { mcpRoutes } from '@errand/mcp';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { createRunDeps, readNone } from './agents-app.ts';
import { decisionDeps } from './decisions-app.ts';
import { payingDeps, type ServiceDeps, skillsDeps } from './deps.ts';
import type { Inference } from './inference.ts';

/** Mounts the MCP server. */
export const mountMcp = (app: Hono<HttpEnv>, deps: ServiceDeps, inference: Inference): void => {
  const { log } = deps;
  app.route(
    '/',
    mcpRoutes({
      log,
      accounts: payingDeps(deps),
      runs: createRunDeps(deps, readNone),
      decisions: decisionDeps(deps, inference),
      skills: skillsDeps(deps),
    }),
  );
};
