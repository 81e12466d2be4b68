/** The families of routes that a key can be held to. */
export const routeFamilies = ['chat', 'runs', 'decisions', 'skills'] as const;

export type RouteFamily = (typeof routeFamilies)[number];

export const budgetPeriods = ['day', 'week', 'month', 'total'] as const;

export type BudgetPeriod = (typeof budgetPeriods)[number];

/** What a key may spend in each period, which begins at midnight UTC; weeks begin on Monday. */
export interface Budget {
  amountNanoEuro: number;
  period: BudgetPeriod;
}

/** What the operator holds a key to. What is absent is not limited. */
export interface KeyLimits {
  expiresAt?: string;
  budget?: Budget;
  /** Ids of models. */
  models?: readonly string[];
  routes?: readonly RouteFamily[];
  /** Names of agents; `default` is the service's own. */
  agents?: readonly string[];
  /** Requests in a window of the rate limit, within those of its account. */
  rate?: number;
  /** Whether the key may read what its account's organisation has used. */
  isOperator?: boolean;
}

/** The reason why a key no longer works. */
export type KeyEnd = 'revoked' | 'frozen' | 'expired';

/** The key and account that a request came from. Every use case takes it as an argument. */
export interface Principal {
  keyId: string;
  accountId: string;
  organisationId?: string;
  limits?: KeyLimits;
}
