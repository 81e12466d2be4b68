import type { Context } from 'hono';
import type { Log } from '../log.ts';
import type { AuthenticatedEnv } from './env.ts';

/** The log of one request with a known key: what fails in it is found by its id and its account's. */
export const requestLog = (c: Pick<Context<AuthenticatedEnv>, 'var'>, log: Log): Log =>
  log.with({ requestId: c.var.requestId, accountId: c.var.principal.accountId });
