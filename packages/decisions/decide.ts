import {
  type Charge,
  type Credits,
  checkModel,
  coverPrice,
  releaseLater,
  settleCharge,
  settleLater,
} from '@errand/accounts';
import {
  type CompletionBound,
  completionCost,
  findModel,
  impactTotals,
  inputOnly,
  type Model,
  priceAt,
  type Usage,
} from '@errand/models';
import {
  type Deadline,
  DomainError,
  fieldIssue,
  isDomainError,
  newId,
  type OrderedJson,
  type OrderedObject,
  type ParsedJson,
  type Price,
  type Principal,
  parseOrderedJson,
  stringifyOrderedJson,
  toIso,
} from '@errand/platform';
import { buildAnswer } from './answer.ts';
import { askDecision, engineOf } from './ask-decision.ts';
import { boundDecision } from './bound-decision.ts';
import { checkBytes, checkContext, countUpTo, textsOf } from './count-context.ts';
import type { DecisionDeps } from './deps.ts';
import { contextTokens } from './engines/ask.ts';
import type { Asking } from './engines/engine.ts';
import { readRequest } from './read-request.ts';
import type { DecisionRequest } from './request.ts';

/** A decision that is known to be right, with what it may cost at most. */
export interface ReadDecision {
  model: Model;
  request: DecisionRequest;
  texts: string[];
  /** The prices that hold when the request comes in. */
  price: Price;
  bound: CompletionBound;
}

/** What a decision is charged with beside its tokens. */
export interface Asker {
  principal: Principal;
  requestId: string;
  credits: Credits;
}

/** Reads the JSON of a decision request. Throws the codes of `decisionErrors`. */
export async function readDecision(
  deps: DecisionDeps,
  principal: Principal,
  body: string,
): Promise<ReadDecision> {
  const { model, fields } = readBody(deps, parseOrderedJson(body));
  checkModel(principal, model.id);
  const request = readRequest(fields);
  const texts = textsOf(request);
  // The other engines count with the tokenizer of the model's server.
  if (engineOf(model) === 'systemone') await checkContext(texts, contextTokens(model));
  else checkBytes(texts, contextTokens(model));
  const price = priceAt(model, deps.clock());
  return { model, request, texts, price, bound: boundDecision(price, model, request) };
}

/**
 * Returns the JSON of the decision's answer, and charges it in the background. A decision that we gave up while the model's
 * server had it in work is charged its input; any other failed one costs nothing. Throws the codes of `decisionErrors`.
 */
export async function decide(
  deps: DecisionDeps,
  decision: ReadDecision,
  asker: Asker,
  deadline: Deadline,
): Promise<string> {
  const { model, request } = decision;
  const asking: Asking = { signal: deadline.signal, taking: { taken: false } };
  try {
    deadline.signal.throwIfAborted();
    const { probabilities, usage, impact } = await askDecision(deps, model, request, asking);
    const answer = new Map<string, OrderedJson>([
      ['model', model.id],
      ['answers', new Map(request.questions.map((q, i) => [q.id, buildAnswer(q, probabilities[i] ?? [])]))],
      [
        'usage',
        new Map([
          ['input_tokens', usage.inputTokens],
          ['output_tokens', 0],
        ]),
      ],
    ]);
    const text = `${stringifyOrderedJson(answer).slice(0, -1)},"impact":${JSON.stringify(impact)}}`;
    deadline.commit();
    settle(deps, chargeOf(deps, decision, usage, { ...asker, asking, more: impactTotals(impact) }));
    return text;
  } catch (error) {
    endFailed(deps, decision, { ...asker, asking });
    throw error;
  }
}

/** Charges a decision in the background. */
function settle(deps: DecisionDeps, charge: Charge): void {
  const { id, model, amountNanoEuro, reservation, payer } = charge;
  settleLater(deps.accounts, payer.accountId, async () => {
    const covered = await coverPrice(deps.accounts, reservation, amountNanoEuro, { charge: id, model });
    await settleCharge({ ...deps.accounts, ...deps }, { ...charge, ...covered });
  });
}

function endFailed(deps: DecisionDeps, decision: ReadDecision, asker: Asker & { asking: Asking }) {
  const { asking, credits } = asker;
  const { model, texts } = decision;
  const { accountId } = credits.payer;
  if (!asking.taking.taken || !isDomainError(asking.signal.reason, 'timed_out'))
    return releaseLater(deps.accounts, accountId, credits.reservation);
  settleLater(deps.accounts, accountId, async () => {
    const usage = inputOnly(await countUpTo(texts, contextTokens(model)));
    const charge = chargeOf(deps, decision, usage, { ...asker, more: { brokenOff: true } });
    await settleCharge({ ...deps.accounts, ...deps }, charge);
  });
}

function chargeOf(
  deps: DecisionDeps,
  { model, price }: ReadDecision,
  usage: Usage,
  { principal, requestId, credits, asking, more }: Asker & { asking: Asking; more: Partial<Charge> },
): Charge {
  return {
    id: newId('decision'),
    at: toIso(deps.clock()),
    kind: 'decision',
    payer: credits.payer,
    model: model.id,
    inputTokens: usage.inputTokens,
    outputTokens: 0,
    amountNanoEuro: completionCost(price, usage),
    requestId,
    keyId: principal.keyId,
    price,
    ...(asking.taking.upstream !== undefined && { upstream: asking.taking.upstream }),
    ...(credits.reservation && { reservation: credits.reservation }),
    ...more,
  };
}

/** Checks the model before all other fields: a request for another kind of model may have another shape. */
function readBody(deps: DecisionDeps, { value, issue }: ParsedJson): { model: Model; fields: OrderedObject } {
  if (!(value instanceof Map)) throw fieldIssue('body', 'must be an object');
  const id = value.get('model');
  if (typeof id !== 'string') throw fieldIssue('model', 'must be a string');
  const found = findModel(deps.catalogue, id);
  if (!found) throw new DomainError('model_not_found', { model: id });
  if (found.model.kind !== 'decision') throw new DomainError('model_kind_unsupported', { model: id });
  if (issue) throw new DomainError('invalid_request', { issues: [issue] });
  return { model: found.model, fields: value };
}
