import { requireKey } from '@errand/accounts';
import {
  DomainError,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  parseJson,
  plainErrors,
  readJsonText,
  validate,
} from '@errand/platform';
import { Hono } from 'hono';
import { listDeliveries, redeliver, sendTest } from './deliveries.ts';
import { viewDelivery } from './delivery.ts';
import type { WebhookRoutesDeps } from './deps.ts';
import { type Endpoint, viewEndpoint } from './endpoint.ts';
import { createEndpoint, getEndpoint, knownLength, placeOf, rotateSecret, updateEndpoint } from './manage.ts';
import { deliveriesQuerySchema, newWebhookSchema, webhookPatchSchema } from './schema.ts';
import { openSecret } from './secret.ts';
import { deleteEndpoint, queryEndpoints } from './store.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** The routes under `/v1/webhooks`: a key sees and changes its own endpoints alone. */
export function webhookRoutes(deps: WebhookRoutesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'runs');
  app.onError(errorHandler(deps.log, plainErrors));
  const view = (endpoint: Endpoint) => viewEndpoint(endpoint, deps.clock());
  const secretOf = ({ id, secret }: Endpoint) => openSecret(deps, id, secret);

  app.post('/v1/webhooks', describe('createWebhook'), key, async (c) => {
    const wanted = validate(newWebhookSchema, parseJson(await readJsonText(c)));
    const endpoint = await createEndpoint(deps, c.var.principal, wanted);
    c.header('Location', `/v1/webhooks/${endpoint.id}`);
    return c.json({ ...view(endpoint), secret: secretOf(endpoint) }, 201);
  });
  app.get('/v1/webhooks', describe('listWebhooks'), key, async (c) =>
    c.json({ webhooks: (await queryEndpoints(deps, c.var.principal)).map(view) }),
  );
  app.get('/v1/webhooks/:id', describe('getWebhook'), key, async (c) =>
    c.json(view(await getEndpoint(deps, c.var.principal, c.req.param('id')))),
  );
  app.patch('/v1/webhooks/:id', describe('updateWebhook'), key, async (c) => {
    const patch = validate(webhookPatchSchema, parseJson(await readJsonText(c)));
    return c.json(view(await updateEndpoint(deps, c.var.principal, c.req.param('id'), patch)));
  });
  app.delete('/v1/webhooks/:id', describe('deleteWebhook'), key, async (c) => {
    if (!(await deleteEndpoint(deps, placeOf(c.var.principal, c.req.param('id')))))
      throw new DomainError('not_found');
    return c.body(null, 204);
  });
  app.post('/v1/webhooks/:id/rotate', describe('rotateWebhook'), key, async (c) => {
    const endpoint = await rotateSecret(deps, c.var.principal, c.req.param('id'));
    return c.json({ ...view(endpoint), secret: secretOf(endpoint) });
  });
  app.post('/v1/webhooks/:id/test', describe('testWebhook'), key, async (c) =>
    c.json(viewDelivery(await sendTest(deps, c.var.principal, c.req.param('id'))), 202),
  );
  app.get('/v1/webhooks/:id/deliveries', describe('listWebhookDeliveries'), key, async (c) => {
    const query = validate(deliveriesQuerySchema, c.req.query());
    return c.json(await listDeliveries(deps, c.var.principal, c.req.param('id'), query));
  });
  app.post(
    '/v1/webhooks/:id/deliveries/:delivery/redeliver',
    describe('redeliverWebhook'),
    key,
    async (c) => {
      const { id, delivery } = c.req.param();
      return c.json(viewDelivery(await redeliver(deps, c.var.principal, id, knownLength(delivery))), 202);
    },
  );
  return app;
}
