import type { Principal } from '@errand/platform';

/** Whose a thing is. Names are unique among the things of one kind and owner. */
export type Owner =
  | { scope: 'user'; accountId: string }
  | { scope: 'organisation'; organisationId: string }
  | { scope: 'provider' };

/** Who changes a thing: an account changes its own, the operator any. */
export type Editor = Principal | 'operator';

/** The owner's partition key. The provider's key is fixed, because its configured scope name may change. */
export function ownerKey(owner: Owner): string {
  if (owner.scope === 'user') return `user#${owner.accountId}`;
  if (owner.scope === 'organisation') return `organisation#${owner.organisationId}`;
  return 'provider';
}

export const accountOwnerKey = (principal: Principal): string =>
  ownerKey({ scope: 'user', accountId: principal.accountId });

/** The owners whose things the caller may use, highest precedence first. */
export function visibleOwners({ accountId, organisationId }: Principal): Owner[] {
  return [
    { scope: 'user', accountId },
    ...(organisationId === undefined ? [] : [{ scope: 'organisation' as const, organisationId }]),
    { scope: 'provider' },
  ];
}

/**
 * The owners among whose things a name is looked up, highest precedence first. With `namedBy`, the owner of the thing that has the
 * name in it: from that one on, and those of the provider alone if the caller sees nothing of that owner any more.
 */
export function askedOwners(principal: Principal, namedBy?: string): string[] {
  const owners = visibleOwners(principal).map(ownerKey);
  if (namedBy === undefined) return owners;
  const first = owners.indexOf(namedBy);
  return owners.slice(first < 0 ? -1 : first);
}

export function scopeName(key: string, providerScope: string): string {
  if (key.startsWith('user#')) return 'user';
  return key.startsWith('organisation#') ? 'organisation' : providerScope;
}

interface Owned {
  owner: string;
  enabled: boolean;
}

/** Whether the caller sees the thing: its own always, those of its organisation and the provider while enabled. */
export function canSee(principal: Principal, thing: Owned): boolean {
  if (thing.owner === accountOwnerKey(principal)) return true;
  return thing.enabled && visibleOwners(principal).some((owner) => ownerKey(owner) === thing.owner);
}

export const canEdit = (editor: Editor, thing: Owned): boolean =>
  editor === 'operator' || thing.owner === accountOwnerKey(editor);
