import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { mountAgents, mountRunStreams } from './agents-app.ts';
import { createAreaApp } from './area-app.ts';
import { mountChat } from './chat-app.ts';
import { mountDecisions } from './decisions-app.ts';
import type { ServiceDeps } from './deps.ts';
import { createInference } from './inference.ts';
import { mountMcp } from './mcp-app.ts';
import { describeApp } from './openapi/describe-app.ts';
import { mountOwnPages } from './pages-app.ts';
import { mountResponses } from './responses-app.ts';
import { mountSite } from './site-app.ts';
import { mountSkills } from './skills-app.ts';

interface WholeAppOptions {
  draining?: AbortSignal;
  /** Where pages for browsers were built. Default: there are none. */
  pagesFolder?: string;
}

/** An app with every route. One machine serves it, and `openapi.json` describes all but the pages. */
export function createWholeApp(deps: ServiceDeps, options: WholeAppOptions = {}): Hono<HttpEnv> {
  const app = createAreaApp(deps);
  const inference = createInference(deps);
  mountAgents(app, deps);
  mountRunStreams(app, deps, options);
  mountSkills(app, deps);
  mountChat(app, deps, inference);
  mountDecisions(app, deps, inference);
  mountResponses(app, deps, inference, options);
  mountMcp(app, deps, inference);
  mountSite(app, deps, describeApp(app));
  if (options.pagesFolder !== undefined) mountOwnPages(app, deps, options.pagesFolder);
  return app;
}
