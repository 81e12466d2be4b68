import type { HttpEnv } from '@errand/platform';
import { skillRoutes } from '@errand/skills';
import type { Hono } from 'hono';
import { accountsDeps, type ServiceDeps, skillsDeps } from './deps.ts';

export function mountSkills(app: Hono<HttpEnv>, deps: ServiceDeps): void {
  app.route('/', skillRoutes({ ...skillsDeps(deps), accounts: accountsDeps(deps) }));
}
