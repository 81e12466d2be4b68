import type { PayingEnv } from '@errand/accounts';
import { showAgent } from '@errand/agents';
import { formatEuro, nothingYet, whenSettled } from '@errand/money';
import { DomainError, endOfRequest, readTraceparent, writeTraceparent } from '@errand/platform';
import { readPrecondition, showSkill } from '@errand/skills';
import type { Context } from 'hono';
import type { CreateRunDeps } from '../deps.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { type ReadRequest, type Starter, startRun } from './start-run.ts';

/** What is read of a request, and shown with its answer. */
type RunRequestContext = Pick<Context<PayingEnv>, 'env' | 'req' | 'var' | 'header' | 'finalized'>;

interface Incoming {
  /** With `digest`, requests whose files differ in content alone have different texts. */
  read: ReadRequest;
  /** The request is let in before its file arrives. Its cost is set aside when the file has arrived. */
  isLetInFirst?: boolean;
}

/** Starts the run that a request asks for. Returns the run's id. If this throws, no file, run or reservation is left. */
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
  const letInFirst: Starter['letInAfter'] = async (plan) => {
    const credits = await door.letIn(nothingYet);
    return { ...(await plan()), credits };
  };
  const starter: Starter = {
    principal,
    requestId,
    traceparent: deps.spans && validTraceparent(c.req.header('traceparent')),
    origin: deps.publicUrl ?? new URL(c.req.url).origin,
    signal: endOfRequest(c),
    conditions: () => ({ idempotencyKey: readIdempotencyKey(c), precondition: readPrecondition(c) }),
    letInAfter: isLetInFirst ? letInFirst : door.letInAfter,
    onAgent: (agent) => showAgent(c, agent),
    onSkill: (skill) => showSkill(c, skill),
  };
  const { agentId, agent, skill, credits } = await startRun(deps, starter, read);
  c.header('X-Credits-Remaining', formatEuro(credits.balanceNanoEuro));
  showAgent(c, agent);
  showSkill(c, skill);
  return agentId;
}

function validTraceparent(header: string | undefined): string | undefined {
  const context = readTraceparent(header);
  return context && writeTraceparent(context);
}
