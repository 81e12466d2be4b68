/**
 * Something that was noticed of an account's money, and that it may be told of: its balance is under a fifth of the credits
 * that were added last, or the budget of a key is used up in this period.
 */
export type Notice =
  | { type: 'credits.low'; accountId: string; creditId: string }
  | { type: 'budget.reached'; accountId: string; keyId: string; period: string };
