import type { AccountsDeps, Charge } from '@errand/accounts';
import type { Catalogue, ImpactDeps, UpstreamDeps } from '@errand/models';
import type { SkillsDeps } from '@errand/skills';

export interface ChatDeps extends UpstreamDeps, ImpactDeps {
  accounts: AccountsDeps;
  skills: SkillsDeps;
  catalogue: Catalogue;
  /** Queues a charge that the ledger did not take, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
}
