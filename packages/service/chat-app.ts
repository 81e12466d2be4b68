import { chatRoutes } from '@errand/chat';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import type { Inference } from './inference.ts';
import { accountsDeps, type Parts, skillsDeps } from './parts.ts';

/** Chat completions, models and prices. */
export function mountChat(app: Hono<HttpEnv>, parts: Parts, inference: Inference): void {
  app.route(
    '/',
    chatRoutes({
      ...inference,
      accounts: accountsDeps(parts),
      skills: skillsDeps(parts),
      catalogue: parts.catalogue,
    }),
  );
}
