import type { AccountsDeps } from '@errand/accounts';
import type { Catalogue, ImpactDeps, UpstreamDeps } from '@errand/models';
import type { Charge } from '@errand/money';
import type { SkillsDeps } from '@errand/skills';
import type { WebDeps } from '@errand/web';

export interface ChatDeps extends UpstreamDeps, ImpactDeps {
  accounts: AccountsDeps;
  skills: SkillsDeps;
  catalogue: Catalogue;
  /** Fetches the images that messages name by address, if the catalogue says that we fetch them. */
  web: WebDeps;
  /** Queues a charge that the ledger did not take, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
}
