import type { Principal } from '@errand/platform';
import {
  createNamed,
  deleteNamed,
  describeRow,
  getNamed,
  listNamed,
  listOwned,
  type OfKind,
  type Owner,
  sweepDeleted,
  updateNamed,
} from '@errand/versions';
import { type AgentShape, agentKind } from './agent-kind.ts';
import type { AgentsDeps } from './deps.ts';
import type { NewAgent } from './schema.ts';

/** An agent in a list: without its definition. */
export type AgentSummary = ReturnType<typeof describeRow>;

/** Creates an enabled agent with version 1. The input must have passed `validateNewAgent`. Throws `agent_name_taken`. */
export const createAgent = (deps: AgentsDeps, owner: Owner, input: NewAgent) =>
  createNamed(agentKind, deps, owner, input);

/** Throws `agent_not_found`, `precondition_failed`, `agent_name_taken`. */
export const updateAgent = (...asked: OfKind<typeof updateNamed<AgentShape>>) =>
  updateNamed(agentKind, ...asked);

/** Throws `agent_not_found`, `precondition_failed`. */
export const deleteAgent = (...asked: OfKind<typeof deleteNamed<AgentShape>>) =>
  deleteNamed(agentKind, ...asked);

/** Throws `agent_not_found` for an agent that does not exist and for one that the caller does not see. */
export const getAgent = (...asked: OfKind<typeof getNamed<AgentShape>>) => getNamed(agentKind, ...asked);

export const sweepDeletedAgents = (...asked: OfKind<typeof sweepDeleted>) =>
  sweepDeleted(agentKind, ...asked);

/** Every agent that the caller sees, sorted by name; agents of one name by precedence. */
export async function listAgents(deps: AgentsDeps, principal: Principal): Promise<AgentSummary[]> {
  const rows = await listNamed(agentKind, deps, principal);
  return rows.map((row) => describeRow(row, deps.providerScope));
}

/** Every agent of one owner, enabled or not, sorted by name, for the operator. */
export async function listOwnedAgents(
  deps: Pick<AgentsDeps, 'dynamodb' | 'tables' | 'providerScope'>,
  owner: Owner,
): Promise<AgentSummary[]> {
  const rows = await listOwned(agentKind, deps, owner);
  return rows.map((row) => describeRow(row, deps.providerScope));
}
