import { type AuthenticatedEnv, type Clock, isUuid, type Log } from '@errand/platform';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

/** Logs one line for each request when its status is known, before a stream is written. */
export function measureRequests(
  { clock, log }: { clock: Clock; log: Log },
  area: string,
): MiddlewareHandler<AuthenticatedEnv> {
  return async (c, next) => {
    const startedAt = clock();
    await next();
    const { status } = c.res;
    const route = routePath(c, -1);
    log.info('request', {
      area,
      requestId: c.get('requestId'),
      accountId: c.get('principal')?.accountId,
      agentId: runIdOf(c.req.param('agentId')),
      method: c.req.method,
      route,
      status,
      // Probes come all day: counted among requests, they would hide that the few others fail.
      ...(!probes.has(route) && { failed: status >= 500 ? 1 : 0, milliseconds: clock() - startedAt }),
    });
  };
}

const probes = new Set(['/healthz', '/livez']);

/** Only ids are logged: a path may hold any text in place of the id, even a secret. */
const runIdOf = (text: string | undefined): string | undefined =>
  text !== undefined && isUuid(text) ? text : undefined;
