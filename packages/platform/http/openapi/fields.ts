import * as v from 'valibot';

/** Says what a value means, and its unit. Around `nullable` and `nullish`, or generated types lack it at the field. */
export const described = <S extends v.GenericSchema>(description: string, schema: S): S =>
  v.pipe(schema, v.description(description)) as unknown as S;

export const textField = (description: string) => described(description, v.string());

export const flagField = (description: string) => described(description, v.boolean());

/** A number of any size. */
export const numberField = (description: string) => described(description, v.number());

/** A whole number from 0. */
export const countField = (description: string) =>
  described(description, v.pipe(v.number(), v.integer(), v.minValue(0)));

export const timeField = (description: string) =>
  described(description, v.pipe(v.string(), v.isoTimestamp()));

/** `cursor` of a page. */
export const cursorField = () => textField("The next page's `cursor`; absent on the last page.");

/** The prices that work may have, each where it applies. */
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
