import type { Price } from '@errand/platform';
import { tokensCost } from './charge.ts';

/** What a call may cost at most, and how it can make do with less. */
export interface CostBound {
  mostNanoEuro: number;
  /** What to set aside if less than the most is there; undefined if that does not pay for the input. */
  within(thereNanoEuro: number): Promise<number | undefined>;
}

/** The bound of what a cap leaves. Undefined if that does not pay for the work. */
export async function withinCap(bound: CostBound, leftNanoEuro: number): Promise<CostBound | undefined> {
  if (bound.mostNanoEuro <= leftNanoEuro) return bound;
  const mostNanoEuro = leftNanoEuro > 0 ? await bound.within(leftNanoEuro) : undefined;
  if (mostNanoEuro === undefined) return undefined;
  return {
    mostNanoEuro,
    within: async (there) => {
      const enough = await bound.within(there);
      return enough && Math.min(enough, mostNanoEuro);
    },
  };
}

/** The bound of work whose cost is known beforehand: a part of the work is of no use. */
export const allOrNothing = (mostNanoEuro: number): CostBound => ({
  mostNanoEuro,
  within: async () => undefined,
});

/** The bound of work that costs nothing yet, but is only for accounts that could pay. */
export const nothingYet: CostBound = { mostNanoEuro: 0, within: async () => 0 };

/** What a completion asks for, as far as it bounds the cost. */
interface BoundedWork {
  /**
   * An upper bound of the input's tokens. The number of bytes of a text is such a bound, since no token is shorter
   * than a byte.
   */
  mostInputTokens: number;
  /** Counts the input's tokens. Called only if the account has less than the bytes could cost. */
  countInput(): Promise<number>;
  /** Of each choice. */
  outputTokens: number;
  choices?: number;
  /** Output beside the choices, such as a summary of the conversation. */
  besideTokens?: number;
}

/** What a completion may cost at most. A smaller amount must at least pay for the input and one output token. */
export interface CompletionBound extends CostBound {
  /** The most input tokens that are paid for. What we count ourselves is charged up to here. */
  readonly inputTokens: number;
  /**
   * How many output tokens of each choice an amount pays for. Undefined if the amount pays for all that are asked
   * for.
   */
  outputTokensFor(nanoEuro: number): number | undefined;
  /** How many output tokens of all choices together an amount pays for, however many are asked for. */
  mostOutputTokens(nanoEuro: number): number;
  /** The most that this many output tokens cost, with the input. */
  costOf(outputTokens: number): number;
  /** The part of a price that is for output beyond what was asked for. */
  beyond(usage: Tokens): number;
}

interface Tokens {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens?: number;
  outputTokens: number;
}

/** A model's own tokenizer may make more tokens of a text than ours, in some scripts up to twice as many. */
const countingMargin = 2;
/**
 * Our tokenizer has tokens of many spaces or signs. Other tokenizers need at least one token for this many bytes of
 * any text.
 */
const leastShare = 1 / 4;
/** Tokens of the instructions that a model's own template adds to every conversation. */
const templateTokens = 32;

export function boundCompletion(price: Price, work: BoundedWork): CompletionBound {
  const { outputTokens, choices = 1, besideTokens = 0, mostInputTokens } = work;
  let inputTokens = mostInputTokens;
  let counting: Promise<number> | undefined;
  const dearest = dearestInput(price);
  // Without anything set aside, nothing would bound what a provider reports.
  const leastNanoEuro = tokensCost(dearest, anything) > 0 ? 1 : 0;
  const costWith = (input: number, output: number): number =>
    Math.max(
      leastNanoEuro,
      tokensCost(dearest, { inputTokens: input, cachedInputTokens: 0, outputTokens: output }),
    );
  const costOf = (tokens: number): number => costWith(inputTokens, tokens);
  const cost = (tokensOfEach: number) => costOf(tokensOfEach * choices + besideTokens);
  return {
    get inputTokens() {
      return inputTokens;
    },
    mostNanoEuro: cost(outputTokens),
    async within(there) {
      const leastInputTokens = Math.ceil(mostInputTokens * leastShare);
      // Counting takes long. An amount that does not even pay for the fewest tokens that the input may have needs
      // no count.
      const leastOutputTokens = Math.min(1, outputTokens) * choices + besideTokens;
      if (costWith(leastInputTokens, leastOutputTokens) > there) return undefined;
      counting ??= work.countInput();
      const counted = countingMargin * (await counting) + templateTokens;
      inputTokens = Math.min(mostInputTokens, Math.max(counted, leastInputTokens));
      if (cost(Math.min(1, outputTokens)) > there) return undefined;
      return Math.min(there, cost(outputTokens));
    },
    outputTokensFor: (nanoEuro) =>
      cost(outputTokens) <= nanoEuro ? undefined : mostUnder(cost, nanoEuro, outputTokens),
    mostOutputTokens: (nanoEuro) =>
      costOf(moreThanAny) <= nanoEuro ? Number.POSITIVE_INFINITY : mostUnder(costOf, nanoEuro, moreThanAny),
    costOf,
    beyond: (usage) =>
      tokensCost(price, usage) -
      tokensCost(price, {
        ...usage,
        outputTokens: Math.min(usage.outputTokens, outputTokens * choices + besideTokens),
      }),
  };
}

/** No model writes as many tokens at once. */
const moreThanAny = 1e8;
const anything = { inputTokens: moreThanAny, outputTokens: moreThanAny };

/** The largest number below `tooMany` that costs no more than the amount; 0 if there is none. */
function mostUnder(cost: (tokens: number) => number, nanoEuro: number, tooMany: number): number {
  let fits = 0;
  let above = tooMany;
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2);
    if (cost(middle) <= nanoEuro) fits = middle;
    else above = middle;
  }
  return fits;
}

/** The price if all input cost as much as the dearest kind of input. */
function dearestInput(price: Price): Price {
  const {
    inputPerMillionTokens = 0,
    cachedInputPerMillionTokens = 0,
    cacheWritePerMillionTokens = 0,
  } = price;
  return {
    ...price,
    inputPerMillionTokens: Math.max(
      inputPerMillionTokens,
      cachedInputPerMillionTokens,
      cacheWritePerMillionTokens,
    ),
  };
}
