import type { ResolvedAgent } from '@errand/agents';
import type { CostBound, Credits } from '@errand/money';
import type { Precondition, ResolvedSkill } from '@errand/skills';
import type { CreateRunDeps } from '../deps.ts';
import { bringFile, bringNothing, type Requester } from './file.ts';
import type { CreatedRun } from './idempotency.ts';
import { planRun, type RunPlan } from './plan.ts';
import { hasFile, type RunRequest } from './request.ts';
import { writePlan } from './write.ts';

/** Who starts a run, and how the run is let in. */
export interface Starter extends Omit<Requester, 'credits'> {
  /** Read with the request. A fault that this throws is one of the request. */
  conditions(): { idempotencyKey: string | undefined; precondition: Precondition };
  /** Lets the run in with what `plan` finds out. A fault that `plan` throws is thrown after the refusals. */
  letInAfter<T extends Planning>(plan: () => Promise<T>): Promise<T & { credits: Credits }>;
  /** Called as soon as the agent is chosen, like `onSkill`. */
  onAgent?(agent: ResolvedAgent | undefined): void;
  /** Called as soon as the skill is resolved, for what is answered if the start fails after that. */
  onSkill?(skill: ResolvedSkill | undefined): void;
}

interface Planning {
  bound: CostBound;
  /** The run of an earlier start that this one repeats. */
  repeated?: CreatedRun;
}

export type ReadRequest = (how: { digest: boolean; owner: string }) => Promise<RunRequest>;

/**
 * Plans a run, lets it in, reads its file and writes it. A start that repeats an earlier one gets the earlier run. If this
 * throws, no file, run or reservation is left.
 */
export async function startRun(
  deps: CreateRunDeps,
  starter: Starter,
  read: ReadRequest,
): Promise<CreatedRun & { credits: Credits }> {
  const { principal, onAgent = () => {}, onSkill = () => {} } = starter;
  const planned = await starter.letInAfter(async () => {
    const { idempotencyKey, precondition } = starter.conditions();
    const request = await read({ digest: idempotencyKey !== undefined, owner: principal.accountId });
    try {
      const asking = { principal, idempotencyKey, precondition, onAgent, onSkill };
      return { request, ...(await planRun(deps, request, asking)) };
    } catch (error) {
      if (!request.store) await request.upload?.drop();
      throw error;
    }
  });
  const { credits } = planned;
  if (planned.repeated) await planned.request.upload?.drop();
  const created = planned.repeated ?? (await carryOut(deps, { ...starter, credits }, planned.plan));
  return { ...created, credits };
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
