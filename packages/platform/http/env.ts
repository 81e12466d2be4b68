import type { HttpBindings } from '@hono/node-server';
import type { Principal } from '../principal.ts';

/** What every Hono app of the service has in its context. */
export interface HttpEnv {
  /** Present on a Node server; on Lambda these are absent. */
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string };
}

/** After `requireKey`. */
export interface AuthenticatedEnv extends HttpEnv {
  Variables: { requestId: string; principal: Principal };
}
