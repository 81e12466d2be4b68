import { requireKey } from '@errand/accounts';
import { describeRoutes, errorHandler, type HttpEnv } from '@errand/platform';
import { type Context, Hono } from 'hono';
import type { ChatDeps } from './deps.ts';
import { modelErrors } from './errors.ts';
import { listModels, showModel } from './list-models.ts';
import { listPricing, showPricing } from './list-pricing.ts';

const describe = describeRoutes(() => import('./descriptions.ts'));

/** Whether the caller is a client of Anthropic. */
export const isAnthropic = (c: Context): boolean => c.req.header('anthropic-version') !== undefined;

/** The models and their prices. Ids of models may hold slashes, which clients write as they are or encoded. */
export function modelRoutes(deps: ChatDeps): Hono<HttpEnv> {
  const { catalogue, clock } = deps;
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, modelErrors));
  const key = requireKey(deps.accounts);
  app.get('/v1/models', describe('listModels'), key, (c) =>
    c.json(listModels(catalogue, { nowMilliseconds: clock(), isAnthropic: isAnthropic(c) })),
  );
  app.get('/v1/models/:model{[\\s\\S]+}', describe('getModel'), key, (c) =>
    c.json(showModel(deps, c.var.principal, { id: c.req.param('model'), isAnthropic: isAnthropic(c) })),
  );
  app.get('/v1/pricing', describe('listPrices'), key, (c) => c.json(listPricing(catalogue, clock())));
  app.get('/v1/pricing/:model{.+}', describe('getPrice'), key, (c) =>
    c.json(showPricing(catalogue, c.req.param('model'), clock())),
  );
  return app;
}
