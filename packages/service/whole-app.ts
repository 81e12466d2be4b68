import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { mountAgents, mountRunStreams } from './agents-app.ts';
import { createAreaApp } from './area-app.ts';
import { mountChat } from './chat-app.ts';
import { mountDecisions } from './decisions-app.ts';
import type { ServiceDeps } from './deps.ts';
import { createInference } from './inference.ts';
import { describeApp } from './openapi/describe-app.ts';
import { mountSite } from './site-app.ts';
import { mountSkills } from './skills-app.ts';

/** An app with every route. One machine serves it, and `openapi.json` describes it. */
export function createWholeApp(deps: ServiceDeps, options: { draining?: AbortSignal } = {}): Hono<HttpEnv> {
  const app = createAreaApp(deps);
  const inference = createInference(deps);
  mountAgents(app, deps);
  mountRunStreams(app, deps, options);
  mountSkills(app, deps);
  mountChat(app, deps, inference);
  mountDecisions(app, deps, inference);
  mountSite(app, deps, describeApp(app));
  return app;
}
