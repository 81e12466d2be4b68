import type { AccountsDeps, Charge } from '@errand/accounts';
import type { Catalogue, ImpactDeps, UpstreamDeps } from '@errand/models';
import type { Config } from '@errand/platform';
import type { StartTimer } from './deadline.ts';

export interface DecisionDeps extends UpstreamDeps, ImpactDeps {
  accounts: AccountsDeps;
  catalogue: Catalogue;
  location: Config['location'];
  /** Takes a charge that the ledger could not, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
  /** Replaced in tests that hold the time. */
  startTimer?: StartTimer;
}
