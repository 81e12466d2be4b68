import type { PayingEnv } from '@errand/accounts';
import { type ResolvedAgent, showAgent } from '@errand/agents';
import { formatEuro, nothingYet, whenSettled } from '@errand/money';
import { DomainError, endOfRequest, readTraceparent, writeTraceparent } from '@errand/platform';
import { type ResolvedSkill, readPrecondition, showSkill } from '@errand/skills';
import type { Context } from 'hono';
import type { CreateRunDeps } from '../deps.ts';
import { bringFile, bringNothing, type Requester } from './file.ts';
import { type CreatedRun, readIdempotencyKey } from './idempotency.ts';
import { planRun, type RunPlan } from './plan.ts';
import { hasFile, type RunRequest } from './request.ts';
import { writePlan } from './write.ts';

/** What is read of a request, and shown with its answer. */
type RunRequestContext = Pick<Context<PayingEnv>, 'env' | 'req' | 'var' | 'header' | 'finalized'>;

interface Incoming {
  /** With `digest`, requests whose files differ in content alone have different texts. */
  read(how: { digest: boolean; owner: string }): Promise<RunRequest>;
  /** The request is let in before its file arrives. Its cost is set aside when the file has arrived. */
  isLetInFirst?: boolean;
}

/**
 * Lets a request for a run in, plans the run, reads its file and writes it. A request that repeats an earlier
 * request gets the earlier run. Returns the run's id. If this throws, no file, run or reservation is left.
 */
export async function createRun(
  deps: CreateRunDeps,
  c: RunRequestContext,
  { read, isLetInFirst }: Incoming,
): Promise<string> {
  const { principal, requestId, door } = c.var;
  await door.checkFirst(() => {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
  });
  // A decision of the account may not be charged yet, and the header says what the balance was.
  await whenSettled(deps, principal.accountId);
  const onAgent = (agent: ResolvedAgent | undefined) => showAgent(c, agent);
  const onSkill = (skill: ResolvedSkill | undefined) => showSkill(c, skill);
  const plan = async () => {
    const idempotencyKey = readIdempotencyKey(c);
    const asking = { principal, idempotencyKey, precondition: readPrecondition(c), onAgent, onSkill };
    const request = await read({ digest: idempotencyKey !== undefined, owner: principal.accountId });
    try {
      return { request, ...(await planRun(deps, request, asking)) };
    } catch (error) {
      if (!request.store) await request.upload?.drop();
      throw error;
    }
  };
  const credits = isLetInFirst ? await door.letIn(nothingYet) : undefined;
  const planned = credits ? { ...(await plan()), credits } : await door.letInAfter(plan);
  const origin = deps.publicUrl ?? new URL(c.req.url).origin;
  const traceparent = deps.spans && validTraceparent(c.req.header('traceparent'));
  const signal = endOfRequest(c);
  const requester = { principal, credits: planned.credits, requestId, traceparent, origin, signal };
  if (planned.repeated) await planned.request.upload?.drop();
  const { agentId, agent, skill } = planned.repeated ?? (await carryOut(deps, requester, planned.plan));
  c.header('X-Credits-Remaining', formatEuro(planned.credits.balanceNanoEuro));
  showAgent(c, agent);
  showSkill(c, skill);
  return agentId;
}

function validTraceparent(header: string | undefined): string | undefined {
  const context = readTraceparent(header);
  return context && writeTraceparent(context);
}

async function carryOut(deps: CreateRunDeps, requester: Requester, plan: RunPlan): Promise<CreatedRun> {
  const { request } = plan;
  const brought = hasFile(request)
    ? await bringFile(deps, requester, plan)
    : bringNothing(deps, requester, plan);
  if ('repeated' in brought) return brought.repeated;
  try {
    const created = await writePlan(deps, requester, plan, brought);
    if (created.agentId !== brought.agentId) await brought.takeBack();
    return created;
  } catch (error) {
    await brought.takeBack(error);
    throw error;
  }
}
