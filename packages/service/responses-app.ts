import type { HttpEnv } from '@errand/platform';
import { responsesRoutes } from '@errand/responses';
import type { Hono } from 'hono';
import { createRunDeps, type StreamOptions } from './agents-app.ts';
import { payingDeps, type ServiceDeps, skillsDeps } from './deps.ts';
import { documentReader } from './documents.ts';
import type { Inference } from './inference.ts';

/** Mounts the routes of responses. */
export function mountResponses(
  app: Hono<HttpEnv>,
  deps: ServiceDeps,
  inference: Inference,
  streams: StreamOptions = {},
): void {
  app.route(
    '/',
    responsesRoutes({
      ...inference,
      accounts: payingDeps(deps),
      skills: skillsDeps(deps),
      catalogue: deps.catalogue,
      dynamodb: deps.aws.dynamodb,
      tables: deps.tables,
      files: deps.files,
      runs: { ...createRunDeps(deps, documentReader(deps)), ...streams },
      web: { allowedHosts: deps.config.fetchAllowedHosts },
    }),
  );
}
