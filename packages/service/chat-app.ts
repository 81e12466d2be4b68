import { type ChatDeps, chatRoutes } from '@errand/chat';
import { messagesRoutes, modelsInOwnWords } from '@errand/messages';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { payingDeps, type ServiceDeps, skillsDeps } from './deps.ts';
import type { Inference } from './inference.ts';

/** Mounts the routes of chat completions, messages, models and prices. */
export function mountChat(app: Hono<HttpEnv>, deps: ServiceDeps, inference: Inference): void {
  const chat: ChatDeps = {
    ...inference,
    accounts: payingDeps(deps),
    skills: skillsDeps(deps),
    catalogue: deps.catalogue,
    web: { allowedHosts: deps.config.fetchAllowedHosts },
  };
  app.use('/v1/models/*', modelsInOwnWords);
  app.route('/', chatRoutes(chat));
  app.route('/', messagesRoutes(chat));
}
