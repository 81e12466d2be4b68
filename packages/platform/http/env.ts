import type { HttpBindings } from '@hono/node-server';
import type { Principal } from '../principal.ts';

/** The context of every Hono app of the service. */
export interface HttpEnv {
  /** Present on a Node server only. */
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; failureLogged?: true };
}

/** The context of routes behind `requireKey`. */
export interface AuthenticatedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { principal: Principal };
}
