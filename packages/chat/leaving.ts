import type { Deadline, HttpEnv } from '@errand/platform';
import type { Context } from 'hono';

/** The abort reason when the caller has closed the connection. */
export class CallerLeft extends Error {}

/** Aborts the work when the caller's connection closes early. Lambda does not report that. */
export function abortOnLeaving<E extends HttpEnv>(c: Context<E>, { abort }: Pick<Deadline, 'abort'>): void {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return;
  const leave = () => {
    if (!outgoing.writableFinished) abort(new CallerLeft());
  };
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
