import type { MoneyDeps } from '@errand/money';

export interface AccountsDeps extends MoneyDeps {
  /** Requests per window and account. */
  rateLimitRequests: number;
}
