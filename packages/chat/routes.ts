import { requirePayingKey } from '@errand/accounts';
import { describeRoutes, errorHandler, type HttpEnv, withDeadline } from '@errand/platform';
import { Hono } from 'hono';
import { answerCompletion } from './answer-completion.ts';
import { completionsDialect } from './completions-dialect.ts';
import type { ChatDeps } from './deps.ts';
import { answerEmbeddings } from './embeddings/answer-embeddings.ts';
import { chatErrors, embeddingErrors } from './errors.ts';
import { modelRoutes } from './model-routes.ts';

const describe = describeRoutes(() => import('./descriptions.ts'));

export function chatRoutes(deps: ChatDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, chatErrors));
  const dialect = completionsDialect(deps);
  app.post(
    '/v1/chat/completions',
    describe('createChatCompletion'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts, 'chat'),
    (c) => answerCompletion(deps, dialect, c),
  );
  app.route('/', embeddingRoute(deps));
  app.route('/', modelRoutes(deps));
  return app;
}

function embeddingRoute(deps: ChatDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, embeddingErrors));
  return app.post(
    '/v1/embeddings',
    describe('createEmbeddings'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts, 'chat'),
    (c) => answerEmbeddings(deps, c),
  );
}
