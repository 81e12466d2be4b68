import type { SkillsDeps } from './deps.ts';
import { ownerKey, type SkillOwner } from './owner.ts';
import { describeRow, type SkillSummary } from './skill.ts';
import { queryOwned } from './store.ts';

/** Every skill of one owner by name, enabled or not: the operator's view. */
export async function listOwnedSkills(
  deps: Pick<SkillsDeps, 'dynamodb' | 'tables' | 'providerScope'>,
  owner: SkillOwner,
): Promise<SkillSummary[]> {
  const rows = await queryOwned(deps, ownerKey(owner));
  return rows.map((row) => describeRow(row, deps.providerScope));
}
