import type { ScheduledBody } from './schedule.ts';

/** Without a question, an agent does what its instructions say. */
export function askedAt(body: ScheduledBody, at: string, timeZone: string): ScheduledBody {
  if (body.question !== undefined) return body;
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const question = `Do what your instructions say. It is ${local.format(new Date(at))} (${timeZone}), ${at}.`;
  return { ...body, question };
}
