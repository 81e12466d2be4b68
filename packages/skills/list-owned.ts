import type { SkillsDeps } from './deps.ts';
import { ownerKey, type SkillOwner } from './owner.ts';
import { describeRow, type SkillSummary } from './skill.ts';
import { queryOwned } from './store.ts';

/** Every skill of one owner, enabled or not, sorted by name, for the operator. */
export async function listOwnedSkills(
  deps: Pick<SkillsDeps, 'dynamodb' | 'tables' | 'providerScope'>,
  owner: SkillOwner,
): Promise<SkillSummary[]> {
  const rows = await queryOwned(deps, ownerKey(owner));
  return rows.map((row) => describeRow(row, deps.providerScope));
}
