import * as v from 'valibot';
import { numberField, textField } from './http/openapi/fields.ts';

/** The prices that work may have, each where it applies. Prices of input that are absent are `inputPerMillionTokens`. */
export const priceFields = {
  inputPerMillionTokens: v.optional(numberField('EUR for a million tokens of input.')),
  cachedInputPerMillionTokens: v.optional(
    numberField("EUR for a million tokens of input from the provider's prompt cache."),
  ),
  cacheWritePerMillionTokens: v.optional(
    numberField("EUR for a million tokens of input written into the provider's prompt cache."),
  ),
  outputPerMillionTokens: v.optional(numberField('EUR for a million tokens of output.')),
  perSecond: v.optional(numberField('EUR for a second of a recording.')),
};

/** The day from which prices hold. */
export const priceFrom = v.optional(
  textField('The day from which these prices hold: from midnight UTC of `YYYY-MM-DD`.'),
);

/** In EUR. At most 9 decimals, so that prices in nano-euro are exact. */
export type Price = { from?: string } & { [Field in keyof typeof priceFields]?: number };
