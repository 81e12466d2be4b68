import type { Principal } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Kind, KindKeys, Shape } from './kind.ts';
import { canSee, type Owner, ownerKey, visibleOwners } from './owner.ts';
import { queryOwned, readStored } from './store.ts';
import type { Row, Stored } from './stored.ts';

/** Everything that the caller sees (`canSee`), sorted by name; things of one name by precedence. */
export async function listNamed(kind: KindKeys, deps: StoreDeps, principal: Principal): Promise<Row[]> {
  const owners = visibleOwners(principal).map(ownerKey);
  const owned = await Promise.all(owners.map((owner) => queryOwned(deps, kind, owner)));
  return owned
    .flat()
    .filter((row) => canSee(principal, row))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Everything of one owner, enabled or not, sorted by name, for the operator. */
export const listOwned = (kind: KindKeys, deps: StoreDeps, owner: Owner): Promise<Row[]> =>
  queryOwned(deps, kind, ownerKey(owner));

/** Refuses what does not exist as what the caller does not see. */
export async function getNamed<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  id: string,
): Promise<Stored<S['content']>> {
  const stored = await readStored<S['content']>(deps, kind, id);
  if (!stored || !canSee(principal, stored.row)) throw kind.refuse.missing();
  return stored;
}
