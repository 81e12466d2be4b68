import { requireKey } from '@errand/accounts';
import { describeRoute, errorHandler, type HttpEnv } from '@errand/platform';
import { Hono } from 'hono';
import type { ChatDeps } from './deps.ts';
import { describeModel, describeModels, describePricing, describePricingList } from './descriptions.ts';
import { modelErrors } from './errors.ts';
import { listModels, showModel } from './list-models.ts';
import { listPricing, showPricing } from './list-pricing.ts';

/** The models and their prices. Ids of models may hold slashes, which clients write as they are or encoded. */
export function modelRoutes(deps: ChatDeps): Hono<HttpEnv> {
  const { catalogue, clock } = deps;
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, modelErrors));
  const key = requireKey(deps.accounts);
  app.get('/v1/models', describeRoute(describeModels), key, (c) => c.json(listModels(catalogue, clock())));
  app.get('/v1/models/:model{[\\s\\S]+}', describeRoute(describeModel), key, (c) =>
    c.json(showModel(catalogue, c.req.param('model'), clock())),
  );
  app.get('/v1/pricing', describeRoute(describePricingList), key, (c) =>
    c.json(listPricing(catalogue, clock())),
  );
  app.get('/v1/pricing/:model{.+}', describeRoute(describePricing), key, (c) =>
    c.json(showPricing(catalogue, c.req.param('model'), clock())),
  );
  return app;
}
