import { type DecisionDeps, decisionRoutes } from '@errand/decisions';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { payingDeps, type ServiceDeps } from './deps.ts';
import type { Inference } from './inference.ts';

export const decisionDeps = (deps: ServiceDeps, inference: Inference): DecisionDeps => ({
  ...inference,
  accounts: payingDeps(deps),
  catalogue: deps.catalogue,
  location: deps.config.location,
});

export function mountDecisions(app: Hono<HttpEnv>, deps: ServiceDeps, inference: Inference): void {
  app.route('/', decisionRoutes(decisionDeps(deps, inference)));
}
