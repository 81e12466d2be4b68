import type { HttpEnv } from '@errand/platform';
import { skillRoutes } from '@errand/skills';
import type { Hono } from 'hono';
import { accountsDeps, type Parts, skillsDeps } from './parts.ts';

export function mountSkills(app: Hono<HttpEnv>, parts: Parts): void {
  app.route('/', skillRoutes({ ...skillsDeps(parts), accounts: accountsDeps(parts) }));
}
