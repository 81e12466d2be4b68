import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { mountAgents } from './agents-app.ts';
import { createAreaApp } from './area-app.ts';
import { mountChat } from './chat-app.ts';
import { mountDecisions } from './decisions-app.ts';
import { describeApp } from './describe-app.ts';
import { createInference } from './inference.ts';
import type { Parts } from './parts.ts';
import { mountSite } from './site-app.ts';
import { mountSkills } from './skills-app.ts';

/** Every route in one app: what one machine serves, and what `openapi.json` describes. */
export function createWholeApp(parts: Parts, options: { closing?: AbortSignal } = {}): Hono<HttpEnv> {
  const app = createAreaApp(parts);
  const inference = createInference(parts);
  mountAgents(app, parts, options);
  mountSkills(app, parts);
  mountChat(app, parts, inference);
  mountDecisions(app, parts, inference);
  mountSite(app, parts, describeApp(app));
  return app;
}
