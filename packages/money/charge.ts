import type { Price } from '@errand/platform';
import type { Reservation } from './purse/reservation.ts';

/** What the use of a model is counted in, with what callers are told of it. Entries show it in this order. */
export const usageMeasures = {
  inputTokens: 'Tokens that were read.',
  cachedInputTokens: "The part of `inputTokens` from the provider's prompt cache.",
  cacheWriteTokens: "The part of `inputTokens` that was written into the provider's prompt cache.",
  outputTokens: 'Tokens that were written.',
  reasoningTokens: 'The part of `outputTokens` that was hidden reasoning.',
  seconds: 'The length of the recording in seconds, rounded up.',
} as const;

/** The environmental impact of work. */
export const impactMeasures = {
  energy: 'The energy that the work took, in Wms (1 Wms is 1 mJ).',
  emissions: 'The emissions of the work, in ugCO2e (micrograms).',
} as const;

export const keysOf = <K extends string>(table: Record<K, unknown>): K[] => Object.keys(table) as K[];

/** Everything that a charge may measure. */
export const measures = [...keysOf(usageMeasures), ...keysOf(impactMeasures)];

type Measured = { [M in (typeof measures)[number]]?: number };

/** The kinds of charges, each with how its amount in nano-euro is computed. */
const amounts = {
  completion: tokensCost,
  vision: tokensCost,
  transcription: secondsCost,
  decision: tokensCost,
  embedding: tokensCost,
} satisfies Record<string, (price: Price, measured: Measured) => number>;

export type ChargeKind = keyof typeof amounts;

export const chargeKinds = keysOf(amounts);

/** A piece of work of a provider, with what it costs. */
export interface Work extends Measured {
  kind: ChargeKind;
  /** The id of the model that worked. Absent for work without a model. */
  model?: string;
  /** The prices in EUR that were used. */
  price?: Price;
  /** The host and model of the upstream that answered. For operators: callers are not told. */
  upstream?: string;
  /** Why the model stopped writing, in the provider's word. Noted of the completions of runs if spans are made of them. */
  finishReason?: string;
  /** The price of the work: zero or positive, but for the rest of a call that was charged too much. */
  amountNanoEuro: number;
  /** The probability on which the work has decided. */
  probability?: number;
  /** The work was broken off before its answer was complete: the charge is for what is known of it. */
  brokenOff?: boolean;
}

/** Work that is to be charged. `id` is unique among the work of a request or run, and the same if the work is done again. */
export interface Cost extends Work {
  id: string;
  /** The step of the run. */
  step?: number;
  /** The part of the price that is not charged, because nothing was there to pay for it. */
  writtenOffNanoEuro?: number;
  /** What was set aside for the work. It ends with the charge. */
  reservation?: Reservation;
}

/** Who pays a charge: with an `organisationId` the organisation's subscription, otherwise the account's credits. */
export interface Payer {
  accountId: string;
  organisationId?: string;
}

/** Whom work is charged to, and what it was for. */
export interface ChargedTo {
  payer: Payer;
  requestId?: string;
  keyId?: string;
  runId?: string;
  skill?: { id?: string; name: string; version?: number };
}

/** Charges with the same id are one charge: it is made once, however often it is written. */
export interface Charge extends Cost, ChargedTo {
  /** ISO 8601. */
  at: string;
}

/** Prices a piece of work by the measures that its kind is charged for. */
export const priceWork = (work: Omit<Work, 'amountNanoEuro'>): Work => ({
  ...work,
  amountNanoEuro: amounts[work.kind](work.price ?? {}, work),
});

export const chargeOf = (cost: Cost, to: ChargedTo, at: string): Charge => ({ ...cost, ...to, at });

const nanoPerEuro = 1_000_000_000;
const tokensPerPrice = 1_000_000n;

/** Exact for every price that a catalogue may have: at most 9 decimals, at most 10,000 EUR. */
const toNano = (euro: number): bigint => BigInt(Math.round(euro * nanoPerEuro));

/** The cost of tokens in nano-euro, rounded half up once. */
export function tokensCost(
  price: Price,
  { inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0 }: Measured,
): number {
  const input = price.inputPerMillionTokens ?? 0;
  const sum =
    BigInt(inputTokens - cachedInputTokens - cacheWriteTokens) * toNano(input) +
    BigInt(cachedInputTokens) * toNano(price.cachedInputPerMillionTokens ?? input) +
    BigInt(cacheWriteTokens) * toNano(price.cacheWritePerMillionTokens ?? input) +
    BigInt(outputTokens) * toNano(price.outputPerMillionTokens ?? 0);
  return Number((sum + tokensPerPrice / 2n) / tokensPerPrice);
}

/** The cost of a recording in nano-euro. Seconds are rounded up. */
export function secondsCost(price: Price, { seconds = 0 }: Measured): number {
  return Number(BigInt(Math.ceil(seconds)) * toNano(price.perSecond ?? 0));
}
