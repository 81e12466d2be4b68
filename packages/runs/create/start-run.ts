import type { AccountsDeps, PayingEnv } from '@errand/accounts';
import { type Credits, formatEuro, whenSettled } from '@errand/money';
import { DomainError, endOfRequest } from '@errand/platform';
import { showSkill } from '@errand/skills';
import type { Context } from 'hono';
import { createRun } from './create-run.ts';
import { type CreateRunDeps, type PreparedRun, prepareRun, type RunRequest } from './prepare-run.ts';
import { readIdempotencyKey } from './read-create-body.ts';

export interface StartRunDeps extends CreateRunDeps {
  accounts: AccountsDeps;
  agentsEnabled: boolean;
  /** Links to saved files begin with it; with the request's own origin if it is absent. */
  publicUrl?: string;
}

/** What is read of a request, and shown with its answer. */
export type RunRequestContext = Pick<Context<PayingEnv>, 'env' | 'req' | 'var' | 'header' | 'finalized'>;

type LetIn = PreparedRun & { credits: Credits };

/** Lets a request for a run in by `letIn`, and creates the run: that of an earlier request if this one repeats it. Returns its id. */
export async function startRun(
  deps: StartRunDeps,
  c: RunRequestContext,
  letIn: () => Promise<LetIn>,
): Promise<string> {
  const { principal, requestId, door } = c.var;
  await door.checkFirst(() => {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
  });
  // A decision of the account may not be charged yet, and the header says what the balance was.
  await whenSettled(deps, principal.accountId);
  const { credits, ...prepared } = await letIn();
  const origin = deps.publicUrl ?? new URL(c.req.url).origin;
  const requester = { principal, credits, requestId, origin, signal: endOfRequest(c) };
  const { agentId, skill } = await createRun(deps, requester, prepared);
  c.header('X-Credits-Remaining', formatEuro(credits.balanceNanoEuro));
  showSkill(c, skill);
  return agentId;
}

/** Lets a request in whose body comes whole. */
export const letInWhole = (
  deps: CreateRunDeps,
  c: RunRequestContext,
  read: () => Promise<RunRequest>,
): Promise<LetIn> =>
  c.var.door.letInAfter(async () => {
    const idempotencyKey = readIdempotencyKey(c);
    return prepareRun(deps, await read(), asking(c, idempotencyKey));
  });

export const asking = (c: RunRequestContext, idempotencyKey: string | undefined) => ({
  principal: c.var.principal,
  idempotencyKey,
  onSkill: (skill: Parameters<typeof showSkill>[1]) => showSkill(c, skill),
});
