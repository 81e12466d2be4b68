import { decisionRoutes } from '@errand/decisions';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import type { Inference } from './inference.ts';
import { accountsDeps, type Parts } from './parts.ts';

export function mountDecisions(app: Hono<HttpEnv>, parts: Parts, inference: Inference): void {
  app.route(
    '/',
    decisionRoutes({
      ...inference,
      accounts: accountsDeps(parts),
      catalogue: parts.catalogue,
      location: parts.config.location,
    }),
  );
}
