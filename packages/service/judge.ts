import type { Judge } from '@errand/agent';
import { askDecision, boundDecision, countDecision, supportRequests } from '@errand/decisions';
import { type ImpactDeps, impactTotals, type Model, priceAt, type UpstreamDeps } from '@errand/models';
import { priceWork, type Taking, type Work } from '@errand/money';
import type { Price } from '@errand/platform';

/** The decision model as runs ask it about their claims. */
export const createJudge = (deps: UpstreamDeps & ImpactDeps, model: Model): Judge => ({
  async passesOf(claims) {
    const requests = await supportRequests(model, claims);
    return requests.map(({ positions, request }) => {
      const price = priceAt(model, deps.clock());
      return {
        positions,
        bound: boundDecision(price, model, [request]),
        known: async (taking) => costOf(model, price, await countDecision(model, request), taking),
        async ask(asking) {
          const { probabilities, usage, impact } = await askDecision(deps, model, request, asking);
          const cost = costOf(model, price, usage.inputTokens, asking.taking);
          return {
            supports: probabilities.map((found) => found?.[0]),
            cost: { ...cost, ...impactTotals(impact) },
          };
        },
      };
    });
  },
});

const costOf = (model: Model, price: Price, inputTokens: number, { upstream }: Taking): Work =>
  priceWork({ kind: 'decision', model: model.id, inputTokens, outputTokens: 0, price, upstream });
