import { DomainError, describeRoutes, errorHandler, type HttpEnv, type Log, limits } from '@errand/platform';
import { Hono } from 'hono';
import { uploadRouteErrors } from '../errors.ts';
import { checkFileLink } from './link.ts';
import { contentTypeOf, type SavedFilesDeps, savedPrefix } from './saved-files.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** `GET` and `HEAD /v1/files/{agentId}/{name}` check the signed link and redirect to a short-lived one into the bucket. */
export function fileRoutes(deps: SavedFilesDeps & { log: Log }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, uploadRouteErrors));
  app.get('/v1/files/:agentId/:name', describe('downloadFile'), async (c) => {
    const { agentId, name } = c.req.param();
    const { expires, signature } = c.req.query();
    checkFileLink(deps.linkSecret, { agentId, name }, { expires, signature }, deps.clock());
    const key = `${savedPrefix(agentId)}${name}`;
    if ((await deps.files.size(key)) === undefined) throw new DomainError('not_found');
    const link = {
      expiresInSeconds: limits.presignedRedirectSeconds,
      attachmentName: name,
      contentType: contentTypeOf(name),
    };
    // Hono passes HEAD to the handler of GET.
    const isHead = c.req.method === 'HEAD';
    const url = await (isHead ? deps.files.presignHead(key, link) : deps.files.presignGet(key, link));
    c.header('Cache-Control', 'private, no-store');
    return c.redirect(url, 302);
  });
  return app;
}
