import { checkModel, letInWork } from '@errand/accounts';
import { type Model, priceAt } from '@errand/models';
import type { OrderedJson, Principal } from '@errand/platform';
import { boundDecision } from './bound-decision.ts';
import { makeDecision } from './decide.ts';
import type { DecisionDeps } from './deps.ts';
import { splitIntoPasses } from './passes.ts';
import { caseOf, type DecisionRequest } from './request.ts';

interface Whether {
  model: Model;
  /** A question that is answered by yes or no. */
  question: string;
  /** What it is asked about. */
  about: OrderedJson;
}

/**
 * The probability of yes, for work of a key that no request asks for. It is charged once for each `chargeId`, however often
 * it is asked. Throws what `letInWork` throws, `model_forbidden`, and what engines throw.
 */
export async function decideWhether(
  deps: DecisionDeps,
  { model, question, about }: Whether,
  { principal, requestId, chargeId }: { principal: Principal; requestId: string; chargeId: string },
  signal: AbortSignal,
): Promise<number> {
  checkModel(principal, model.id);
  const request: DecisionRequest = {
    input: caseOf(about),
    questions: [
      {
        id: 'holds',
        type: 'noul',
        instructions: [{ type: 'text', text: question }],
        options: ['true', 'false'].map((key) => ({ key, description: null })),
      },
    ],
  };
  const passes = await splitIntoPasses(model, request);
  const price = priceAt(model, deps.clock());
  const bound = boundDecision(price, model, passes);
  const credits = await letInWork(deps.accounts, principal, { route: 'runs', bound });
  const asker = { principal, requestId, chargeId, credits };
  return makeDecision(deps, { model, passes, price }, asker, signal, ({ probabilities: [found] }) => {
    const yes = found?.[0];
    if (yes === undefined) throw new Error('a decision without a probability');
    return yes;
  });
}
