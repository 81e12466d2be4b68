import type { Principal } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Kind, Shape } from './kind.ts';
import { namePattern } from './name-pattern.ts';
import { accountOwnerKey, ownerKey, visibleOwners } from './owner.ts';
import { readNamed } from './store.ts';

/** The id of the caller's own thing of a name. Refuses what is missing. */
export const findOwnId = <S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  name: string,
): Promise<string> => findId(kind, deps, [accountOwnerKey(principal)], name);

/** The id of what the caller sees under a name: its own thing, else the first that is enabled. Refuses what is missing. */
export const findSeenId = <S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  principal: Principal,
  name: string,
): Promise<string> => findId(kind, deps, visibleOwners(principal).map(ownerKey), name);

async function findId<S extends Shape>(
  kind: Kind<S>,
  deps: StoreDeps,
  owners: readonly string[],
  name: string,
): Promise<string> {
  // DynamoDB refuses keys longer than 1 KB.
  const named = namePattern.test(name) ? await readNamed(deps, kind, owners, name, false) : [];
  const found = named.find(({ row }) => row.owner === owners[0] || row.enabled);
  if (!found) throw kind.refuse.missing();
  return found.row.id;
}
