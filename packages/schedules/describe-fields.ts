import { checkModels } from '@errand/accounts';
import { defaultAgent, readAgentReference } from '@errand/agents';
import { roleModel } from '@errand/models';
import { fieldIssue, limits, type Principal, toIso } from '@errand/platform';
import { beginningOf, checkRunBody } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { ScheduleRoutesDeps } from './deps.ts';
import { problemOfCron, type Timing } from './instants.ts';
import type { Schedule, ScheduledBody } from './schedule.ts';
import type { ScheduleFields } from './schema.ts';

/** What of a schedule its fields decide. */
export type Described = Pick<
  Schedule,
  'name' | 'agent' | 'question' | 'timing' | 'overlap' | 'untilMilliseconds' | 'notifyIf' | 'paused'
>;

/**
 * The schedule that is described, and what its runs are created with. Throws `invalid_request`, and with `isNew` what the creation
 * of such a run would be refused with at present. `every` is counted from `since`.
 */
export async function describeFields(
  deps: ScheduleRoutesDeps,
  principal: Principal,
  fields: ScheduleFields,
  { sinceMilliseconds, isNew }: { sinceMilliseconds: number; isNew: boolean },
): Promise<{ described: Described; body: ScheduledBody }> {
  const { name, cron, every, timeZone = 'UTC', overlap = 'skip', until, notifyIf, paused, ...body } = fields;
  const timing = await timingOf(deps, { cron, every, timeZone, sinceMilliseconds });
  if (body.question === undefined && !hasInstructions(body)) throw fieldIssue('question', 'is required');
  if (Buffer.byteLength(JSON.stringify(body)) > limits.scheduleBodyBytes)
    throw fieldIssue(
      '',
      `must have at most ${limits.scheduleBodyBytes} bytes of what its runs are created with`,
    );
  if (isNew) {
    await checkRunBody(deps, principal, askedAt(body, toIso(deps.clock()), timeZone));
    if (notifyIf) checkNotice(deps, principal);
  }
  return {
    described: {
      name,
      agent: body.agent,
      question: body.question === undefined ? undefined : beginningOf(body.question),
      timing,
      overlap,
      untilMilliseconds: until === undefined ? undefined : Date.parse(until),
      notifyIf: notifyIf && { question: notifyIf.question, threshold: notifyIf.threshold ?? 0.5 },
      paused: paused ? true : undefined,
    },
    body,
  };
}

/** The service's own agent has no instructions that tell what is to be done. */
const hasInstructions = ({ agent }: ScheduledBody): boolean =>
  agent !== undefined && readAgentReference(agent)?.name !== defaultAgent;

async function timingOf(
  { clock }: ScheduleRoutesDeps,
  given: { cron?: string; every?: string; timeZone: string; sinceMilliseconds: number },
): Promise<Timing> {
  const { cron, every, timeZone, sinceMilliseconds } = given;
  if ((cron === undefined) === (every === undefined))
    throw fieldIssue('cron', 'must be given, or every, and not both');
  if (every !== undefined) return { every, timeZone, sinceMilliseconds };
  const problem = await problemOfCron(cron!, clock());
  if (problem) throw fieldIssue('cron', problem);
  return { cron: cron!, timeZone };
}

/** Throws `invalid_request` without a decision model, and `model_forbidden`. */
function checkNotice({ catalogue, location }: ScheduleRoutesDeps, principal: Principal): void {
  const model = location === 'eu' ? roleModel(catalogue, 'decision') : undefined;
  if (!model) throw fieldIssue('notifyIf', 'needs a decision model, and this service has none');
  checkModels(principal, [model.id]);
}
