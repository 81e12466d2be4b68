import { countUnrouted } from '@errand/accounts';
import { createApp, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { mountAgents } from './agents-app.ts';
import { mountChat } from './chat-app.ts';
import { mountDecisions } from './decisions-app.ts';
import { describeApp } from './describe-app.ts';
import { createInference } from './inference.ts';
import { accountsDeps, type Parts } from './parts.ts';
import { mountSite } from './site-app.ts';
import { mountSkills } from './skills-app.ts';

/** Every route in one app: what one machine serves, and what `openapi.json` describes. */
export function createWholeApp(parts: Parts): Hono<HttpEnv> {
  const app = createApp({ log: parts.log, countUnrouted: countUnrouted(accountsDeps(parts)) });
  const inference = createInference(parts);
  mountAgents(app, parts);
  mountSkills(app, parts);
  mountChat(app, parts, inference);
  mountDecisions(app, parts, inference);
  mountSite(app, parts, describeApp(app));
  return app;
}
