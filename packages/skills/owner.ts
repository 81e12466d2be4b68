import type { Principal } from '@errand/platform';

/** The owner of a skill. Names are unique among the skills of one owner. */
export type SkillOwner =
  | { scope: 'user'; accountId: string }
  | { scope: 'organisation'; organisationId: string }
  | { scope: 'provider' };

/** Who changes a skill: an account changes its own skills, the operator any. */
export type SkillEditor = Principal | 'operator';

/** The owner's partition key. The provider's key is fixed, because its configured scope name may change. */
export function ownerKey(owner: SkillOwner): string {
  if (owner.scope === 'user') return `user#${owner.accountId}`;
  if (owner.scope === 'organisation') return `organisation#${owner.organisationId}`;
  return 'provider';
}

export const accountOwnerKey = (principal: Principal): string =>
  ownerKey({ scope: 'user', accountId: principal.accountId });

/** The owners whose skills the caller may use, highest precedence first. */
export function visibleOwners({ accountId, organisationId }: Principal): SkillOwner[] {
  return [
    { scope: 'user', accountId },
    ...(organisationId === undefined ? [] : [{ scope: 'organisation' as const, organisationId }]),
    { scope: 'provider' },
  ];
}

export function scopeName(key: string, providerScope: string): string {
  if (key.startsWith('user#')) return 'user';
  return key.startsWith('organisation#') ? 'organisation' : providerScope;
}

interface Owned {
  owner: string;
  enabled: boolean;
}

/** Whether the caller sees the skill: its own always, those of its organisation and the provider while enabled. */
export function canSee(principal: Principal, skill: Owned): boolean {
  if (skill.owner === accountOwnerKey(principal)) return true;
  return skill.enabled && visibleOwners(principal).some((owner) => ownerKey(owner) === skill.owner);
}

export const canEdit = (editor: SkillEditor, skill: Owned): boolean =>
  editor === 'operator' || skill.owner === accountOwnerKey(editor);
