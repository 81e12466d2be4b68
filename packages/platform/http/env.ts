import type { HttpBindings } from '@hono/node-server';
import type { Principal } from '../principal.ts';
import type { ErrorAnswer } from './envelope.ts';

/** The context of every Hono app of the service. */
export interface HttpEnv {
  /** `incoming` and `outgoing` are present on a Node server only. */
  Bindings: Partial<HttpBindings> & {
    /** Aborts with the refusal `stopping` shortly before the process or the invocation ends. */
    shutdown?: AbortSignal;
  };
  Variables: {
    requestId: string;
    failureLogged?: true;
    /** Gives every error of a request the envelope of its paths. */
    shape?: (answer: ErrorAnswer, requestId: string) => ErrorAnswer;
  };
}

/** The context of routes behind `requireKey`. */
export interface AuthenticatedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { principal: Principal };
}
