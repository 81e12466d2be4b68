import { checkAgent } from '@errand/accounts';
import {
  applyAgent,
  defaultAgent,
  openFields,
  type ResolvedAgent,
  readAgentReference,
  resolveAgent,
} from '@errand/agents';
import { DomainError, describeIssue, fieldIssue, isDomainError, type Principal } from '@errand/platform';
import { type Precondition, skillFieldErrors } from '@errand/skills';
import type { CreateRunDeps } from '../deps.ts';
import type { CreateRunBody, RunBody } from '../schema.ts';
import type { FollowedRun } from './follow.ts';

/**
 * The stored agent that the request names, or else that of the run before as it was then. Undefined: the service's own. Throws
 * `agent_forbidden`, `agent_unresolved` and `agent_changed`.
 */
export async function chooseAgent(
  deps: Pick<CreateRunDeps, 'agents'>,
  principal: Principal,
  { agent: text }: CreateRunBody,
  { followed, precondition }: { followed?: FollowedRun; precondition: Precondition },
): Promise<ResolvedAgent | undefined> {
  const before = followed?.input.definedBy;
  const reference = text === undefined ? undefined : readAgentReference(text);
  checkAgent(principal, reference?.name ?? before?.name ?? defaultAgent);
  if (!reference) return before;
  if (reference.name !== defaultAgent) return resolveAgent(deps.agents, principal, reference, precondition);
  if (reference.version !== undefined)
    throw new DomainError('agent_unresolved', { reason: 'unversioned', name: defaultAgent });
  return undefined;
}

/** The body of a run by the agent. What the run before was asked for holds where neither the creation nor the agent says otherwise. */
export function bodyBy(agent: ResolvedAgent, said: CreateRunBody, followed: RunBody): RunBody {
  const { outputSchema } = said;
  const body = applyAgent(agent, { ...followed, outputSchema });
  return { ...body, outputSchema: body.outputSchema ?? followed.outputSchema };
}

/** The owner of the agent, where the skill of the run is the agent's. Undefined where the creation says the skill. */
export const skillNamedBy = (
  { owner, definition }: ResolvedAgent,
  said: Pick<CreateRunBody, 'skills'>,
): string | undefined => {
  const isReplaced = has(said, 'skills') && definition.open?.includes('skills');
  return has(definition, 'skills') && !isReplaced ? owner : undefined;
};

/** A refusal of what the agent says, and not the creation, as one that names the agent. Any other error is as it was. */
export function inWordsOfAgent(agent: ResolvedAgent, said: CreateRunBody, error: unknown): unknown {
  const isAgents = (field: string) =>
    openFields.some(
      (name) => name === /^\w+/.exec(field)?.[0] && !has(said, name) && has(agent.definition, name),
    );
  const refusal = (problem: string) => fieldIssue('agent', `${JSON.stringify(agent.name)}: ${problem}`);
  if (isDomainError(error, 'skill_unresolved') && isAgents('skills'))
    return refusal(skillFieldErrors.skill_unresolved(error.details).body.error.message);
  if (!isDomainError(error, 'invalid_request')) return error;
  const issue = error.details.issues.find(({ field }) => isAgents(field));
  return issue ? refusal(describeIssue(issue)) : error;
}

const has = (fields: Partial<Record<string, unknown>>, name: string): boolean => fields[name] !== undefined;
