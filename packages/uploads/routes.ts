import { type AccountsDeps, nothingYet, type PayingEnv, requirePayingKey } from '@errand/accounts';
import { describeRoute, errorHandler, type HttpEnv, readJson } from '@errand/platform';
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { createUpload } from './create-upload.ts';
import type { UploadDeps } from './deps.ts';
import { uploadRouteErrors } from './errors.ts';
import { createUploadSchema, uploadTicketSchema } from './schema.ts';
import { requireUploads } from './upload.ts';

const errorSchema = v.object({ error: v.string() });
const text = { 'text/plain': 'text' } as const;

/** `POST /v1/uploads`, for files that are larger than a request body may be. */
export function uploadRoutes(deps: UploadDeps & { accounts: AccountsDeps }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, uploadRouteErrors));
  app.post(
    '/v1/uploads',
    describeRoute({
      summary: 'Get a link to upload a file with, for a run that names it by uploadId',
      tag: 'agents',
      body: { schema: createUploadSchema },
      responses: {
        201: {
          description: 'Send the file with this method and these headers to the url.',
          content: { 'application/json': uploadTicketSchema },
        },
        400: { description: 'Missing or invalid fields', content: text },
        401: { description: 'Missing or invalid key', content: text },
        402: {
          description: "No credits left, or the key's budget is spent",
          content: { 'application/json': errorSchema },
        },
        403: { description: 'The key may not be used for runs', content: text },
        413: { description: 'The file is over the limit of its kind', content: text },
        415: { description: 'The extension of the file is not accepted', content: text },
        429: { description: 'Rate limit spent, or too many open uploads', content: text },
        503: { description: 'Uploads or conversion are switched off or cannot be reached', content: text },
      },
    }),
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
