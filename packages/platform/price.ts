/** In EUR. At most 9 decimals, so that prices in nano-euro are exact. */
export interface Price {
  /** The day from which it holds: from midnight UTC of `YYYY-MM-DD`. */
  from?: string;
  inputPerMillionTokens?: number;
  /** The price of input from the upstream's prompt cache; `inputPerMillionTokens` if absent. */
  cachedInputPerMillionTokens?: number;
  /** The price of input that the upstream wrote into its prompt cache; `inputPerMillionTokens` if absent. */
  cacheWritePerMillionTokens?: number;
  outputPerMillionTokens?: number;
  perSecond?: number;
}
