import type { AccountsDeps, Charge } from '@errand/accounts';
import type { Catalogue, ImpactDeps, UpstreamDeps } from '@errand/models';
import type { Config, StartTimer } from '@errand/platform';

export interface DecisionDeps extends UpstreamDeps, ImpactDeps {
  accounts: AccountsDeps;
  catalogue: Catalogue;
  location: Config['location'];
  /** Takes a charge that the ledger could not, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
  /** Replaced in tests that hold the time. */
  startTimer?: StartTimer;
}
