import type { Context } from 'hono';
import type { Log } from '../log.ts';
import type { AuthenticatedEnv } from './env.ts';

/** A log whose lines carry the request's id and the account's. */
export const requestLog = (c: Pick<Context<AuthenticatedEnv>, 'var'>, log: Log): Log =>
  log.with({ requestId: c.var.requestId, accountId: c.var.principal.accountId });
