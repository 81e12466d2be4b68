import { completionCost, type Taking, type Usage } from '@errand/models';
import type { Price } from '@errand/platform';
import type { CallCost } from './paid-calls.ts';

/** The cost of a call that is charged by its tokens. */
export const completionCallCost = (
  kind: 'completion' | 'vision',
  model: string,
  { usage, price, taking }: { usage: Usage; price: Price; taking: Taking },
): CallCost => ({
  kind,
  model,
  ...usage,
  amountNanoEuro: completionCost(price, usage),
  price,
  ...(taking.upstream !== undefined && { upstream: taking.upstream }),
});
