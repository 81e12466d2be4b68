import { DomainError, describeRoute, errorHandler, type HttpEnv, type Log, limits } from '@errand/platform';
import { Hono } from 'hono';
import { uploadRouteErrors } from '../errors.ts';
import { checkFileLink } from './link.ts';
import { contentTypeOf, type SavedFilesDeps, savedPrefix } from './saved-files.ts';

const text = { 'text/plain': 'text' } as const;

/** `GET /v1/files/{agentId}/{name}` checks the signed link and redirects to a short-lived one into the bucket. */
export function fileRoutes(deps: SavedFilesDeps & { log: Log }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, uploadRouteErrors));
  app.get(
    '/v1/files/:agentId/:name',
    describeRoute({
      summary: 'Download a file that a run saved, by its signed link',
      tag: 'agents',
      public: true,
      query: { expires: 'Seconds since the epoch', signature: 'Ours, over file and time' },
      responses: {
        302: { description: 'A link into the storage that works for five minutes' },
        403: { description: 'The link was altered', content: text },
        404: { description: 'The file is gone' },
        405: { description: 'Any method but GET' },
        410: { description: 'The link has expired', content: text },
      },
    }),
    async (c) => {
      // Hono passes HEAD to the handler of GET, but the bucket refuses HEAD on a link that was signed for GET.
      if (c.req.method === 'HEAD') return c.body(null, 405, { Allow: 'GET' });
      const { agentId, name } = c.req.param();
      const { expires, signature } = c.req.query();
      checkFileLink(deps.linkSecret, { agentId, name }, { expires, signature }, deps.clock());
      const key = `${savedPrefix(agentId)}${name}`;
      if ((await deps.files.size(key)) === undefined) throw new DomainError('not_found');
      const url = await deps.files.presignGet(key, {
        expiresInSeconds: limits.presignedRedirectSeconds,
        attachmentName: name,
        contentType: contentTypeOf(name),
      });
      c.header('Cache-Control', 'private, no-store');
      return c.redirect(url, 302);
    },
  );
  return app;
}
