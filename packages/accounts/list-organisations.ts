import type { StoreDeps } from '@errand/money';
import { type Organisation, scanOwners } from './store.ts';

/** Every organisation, oldest first. */
export async function listOrganisations(deps: StoreDeps): Promise<Organisation[]> {
  const organisations: Organisation[] = [];
  for await (const page of scanOwners<Organisation>(deps, 'organisation')) organisations.push(...page);
  return organisations.sort((a, b) =>
    `${a.createdAt} ${a.organisationId}` < `${b.createdAt} ${b.organisationId}` ? -1 : 1,
  );
}
