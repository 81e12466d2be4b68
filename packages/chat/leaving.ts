import type { Deadline, HttpEnv } from '@errand/platform';
import type { Context } from 'hono';

/** Why work ends whose answer nobody waits for. */
export class CallerLeft extends Error {}

/** Ends the work when the caller's connection closes before it was answered, where the platform tells. */
export function abortOnLeaving<E extends HttpEnv>(c: Context<E>, { abort }: Pick<Deadline, 'abort'>): void {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return;
  const leave = () => {
    if (!outgoing.writableFinished) abort(new CallerLeft());
  };
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
