import { checkModel } from '@errand/accounts';
import { findModel, impactTotals, type Model, priceAt, type Usage } from '@errand/models';
import { openRequestCall, priceWork, settleLater, type Taking, type Work } from '@errand/money';
import { type Deadline, DomainError, fieldIssue, newId, type Price, type Principal } from '@errand/platform';
import type { MadeDecision } from './ask-decision.ts';
import { askPasses } from './ask-passes.ts';
import { boundDecision } from './bound-decision.ts';
import type { Asker, ReadDecision } from './decision.ts';
import type { DecisionDeps } from './deps.ts';
import type { Dialect } from './dialects/dialect.ts';
import { engineOf } from './engines/engines.ts';
import { type DecisionRequest, imagesOf } from './request.ts';

/** Reads the JSON of a decision request. Throws the codes of its dialect's errors. */
export async function readDecision(
  deps: DecisionDeps,
  principal: Principal,
  dialect: Dialect,
  body: string,
): Promise<ReadDecision> {
  const opened = dialect.open(body);
  const model = decisionModel(deps, opened.model);
  checkModel(principal, model.id);
  const request = opened.read();
  checkImages(model, request);
  const passes = await dialect.passesOf(model, request);
  const price = priceAt(model, deps.clock());
  return { dialect, model, request, passes, price, bound: boundDecision(price, model, passes) };
}

/**
 * Returns the JSON of the decision's answer, and charges it in the background. A decision that fails costs nothing, in no
 * part. Throws the codes of the dialect's errors.
 */
export function decide(
  deps: DecisionDeps,
  decision: ReadDecision,
  asker: Asker,
  deadline: Deadline,
): Promise<string> {
  const { dialect, model, request } = decision;
  return makeDecision(deps, decision, asker, deadline.signal, ({ impact, ...read }) => {
    const answer = dialect.write(request, { model, ...read });
    deadline.commit();
    return `${answer.slice(0, -1)},"impact":${JSON.stringify(impact)}}`;
  });
}

/** Makes a decision that is paid for. The charge is written in the background if `use` takes the decision, and nothing is charged if it throws. */
export async function makeDecision<T>(
  deps: DecisionDeps,
  { model, passes, price }: Pick<ReadDecision, 'model' | 'passes' | 'price'>,
  asker: Asker,
  signal: AbortSignal,
  use: (made: MadeDecision) => T,
): Promise<T> {
  const { payer, reservation } = asker.credits;
  const taking: Taking = { taken: false };
  const call = openRequestCall(
    { ...deps.accounts, ...deps },
    {
      id: asker.chargeId ?? newId('decision'),
      to: { payer, requestId: asker.requestId, keyId: asker.principal.keyId },
      reservation,
      asked: { kind: 'decision', model: model.id, traceparent: asker.traceparent },
      isShort: true,
      taking,
      known: async () => undefined,
    },
  );
  const inBackground = (end: () => Promise<unknown>) => settleLater(deps.accounts, payer.accountId, end);
  try {
    signal.throwIfAborted();
    const made = await askPasses(deps, model, passes, { signal, taking });
    const used = use(made);
    const work = { ...workOf(model, price, made.usage, taking), ...impactTotals(made.impact) };
    inBackground(() => call.settle(work));
    return used;
  } catch (error) {
    inBackground(() => call.release(error));
    throw error;
  }
}

/** What the decision is charged for. A decision has no output. */
const workOf = (model: Model, price: Price, usage: Usage, { upstream }: Taking): Work =>
  priceWork({
    kind: 'decision',
    model: model.id,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens || undefined,
    cacheWriteTokens: usage.cacheWriteTokens,
    outputTokens: 0,
    price,
    upstream,
  });

/** The model is checked before all other fields: a request for another kind of model may have another shape. */
function decisionModel({ catalogue }: DecisionDeps, id: unknown): Model {
  if (typeof id !== 'string')
    throw fieldIssue('model', id === undefined ? 'is required' : 'must be a string');
  const found = findModel(catalogue, id);
  if (!found) throw new DomainError('model_not_found', { model: id });
  if (found.model.kind !== 'decision') throw new DomainError('model_kind_unsupported', { model: id });
  return found.model;
}

/** Throws `input_unsupported` for images that the model's engine, or the catalogue, does not take. */
function checkImages(model: Model, request: DecisionRequest): void {
  const images = imagesOf(request);
  if (images.length === 0) return;
  if (!engineOf(model).readsImages)
    throw new DomainError('input_unsupported', { problem: 'This model does not read images.' });
  if (model.imageUrls === 'refuse' && images.some(({ url }) => !/^data:/i.test(url)))
    throw new DomainError('input_unsupported', {
      problem: 'This model takes images as data URLs, not by their addresses.',
    });
}
