import { type AccountsDeps, type PayingEnv, requirePayingKey } from '@errand/accounts';
import { nothingYet } from '@errand/money';
import { describeRoutes, errorHandler, type HttpEnv, readJson } from '@errand/platform';
import { type Context, Hono } from 'hono';
import { createUpload } from './create-upload.ts';
import type { UploadDeps } from './deps.ts';
import { uploadRouteErrors } from './errors.ts';
import { createUploadSchema } from './schema.ts';
import { requireUploads } from './upload.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** `POST /v1/uploads`, for files that are larger than a request body may be. */
export function uploadRoutes(deps: UploadDeps & { accounts: AccountsDeps }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, uploadRouteErrors));
  app.post(
    '/v1/uploads',
    describe('createUpload'),
    requirePayingKey(deps.accounts, 'runs'),
    async (c: Context<PayingEnv>) => {
      const { door } = c.var;
      await door.checkFirst(() => requireUploads(deps));
      await door.letIn(nothingYet);
      return c.json(await createUpload(deps, c.var.principal, await readJson(c, createUploadSchema)), 201);
    },
  );
  return app;
}
