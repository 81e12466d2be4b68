import type { AccountsDeps } from '@errand/accounts';
import type { Catalogue, ImpactDeps, UpstreamDeps } from '@errand/models';
import type { Charge } from '@errand/money';
import type { Config } from '@errand/platform';

export interface DecisionDeps extends UpstreamDeps, ImpactDeps {
  accounts: AccountsDeps;
  catalogue: Catalogue;
  location: Config['location'];
  /** Keeps a charge that could not be written, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
}
