import type { Principal } from '@errand/platform';

/** Who a skill belongs to: names are unique within one owner. */
export type SkillOwner =
  | { scope: 'user'; accountId: string }
  | { scope: 'organisation'; organisationId: string }
  | { scope: 'provider' };

/** Who changes a skill. An account changes its own; the operator, any. */
export type SkillEditor = Principal | 'operator';

/** The provider's key does not hold the configured scope name, so that renaming the scope loses no skill. */
export function ownerKey(owner: SkillOwner): string {
  if (owner.scope === 'user') return `user#${owner.accountId}`;
  if (owner.scope === 'organisation') return `organisation#${owner.organisationId}`;
  return 'provider';
}

export const ownKey = (principal: Principal): string =>
  ownerKey({ scope: 'user', accountId: principal.accountId });

/** The owners whose skills a caller may use, in order of precedence. */
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

/** A skill that the caller's list would show: its own, and the enabled ones of its organisation and the provider. */
export function canSee(principal: Principal, skill: Owned): boolean {
  if (skill.owner === ownKey(principal)) return true;
  return skill.enabled && visibleOwners(principal).some((owner) => ownerKey(owner) === skill.owner);
}

export const canEdit = (editor: SkillEditor, skill: Owned): boolean =>
  editor === 'operator' || skill.owner === ownKey(editor);
