import type { MoneyDeps } from '@errand/money';
import type { AnswerTime } from '@errand/platform';

export interface AccountsDeps extends MoneyDeps, AnswerTime {
  /** Requests per window and account. */
  rateLimitRequests: number;
}
