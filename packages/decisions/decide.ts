import { type Credits, settleInBackground } from '@errand/accounts';
import { completionCost, findModel, type Model, measureImpact, priceAt, type Usage } from '@errand/models';
import {
  type Deadline,
  DomainError,
  fieldIssue,
  newId,
  type OrderedJson,
  type OrderedObject,
  type ParsedJson,
  parseOrderedJson,
  stringifyOrderedJson,
  toIso,
} from '@errand/platform';
import { buildAnswer } from './answer.ts';
import { checkBytes, checkContext, countUpTo, textsOf } from './count-context.ts';
import type { DecisionDeps } from './deps.ts';
import { contextTokens } from './engines/ask.ts';
import { engines } from './engines/engines.ts';
import { readRequest } from './read-request.ts';

/**
 * Takes the JSON of a decision request, returns the JSON of its answer, and charges it in the background. Failed
 * requests cost nothing. Throws the codes of `decisionErrors`.
 */
export async function decide(
  deps: DecisionDeps,
  credits: Promise<Credits>,
  body: string,
  deadline: Deadline,
): Promise<string> {
  const { model, fields } = readBody(deps, parseOrderedJson(body));
  const request = readRequest(fields);
  const texts = textsOf(request);
  const engine = model.engine ?? 'systemone';
  // The other engines count with the tokenizer of the model's server.
  if (engine === 'systemone') await checkContext(texts, contextTokens(model));
  else checkBytes(texts, contextTokens(model));
  deadline.signal.throwIfAborted();
  const reading = await engines[engine](deps, model, request, deadline.signal);
  const { probabilities, inferenceMilliseconds } = reading;
  const inputTokens = reading.inputTokens ?? (await countUpTo(texts, contextTokens(model)));
  const usage: Usage = { inputTokens, cachedInputTokens: 0, outputTokens: 0 };
  const impact = await measureImpact(deps, model, { inferenceMilliseconds, usage });
  const answer = new Map<string, OrderedJson>([
    ['model', model.id],
    ['answers', new Map(request.questions.map((q, i) => [q.id, buildAnswer(q, probabilities[i] ?? [])]))],
    [
      'usage',
      new Map([
        ['input_tokens', inputTokens],
        ['output_tokens', 0],
      ]),
    ],
  ]);
  const text = `${stringifyOrderedJson(answer).slice(0, -1)},"impact":${JSON.stringify(impact)}}`;
  const admitted = await credits;
  deadline.commit();
  charge(deps, admitted, model, usage);
  return text;
}

const charge = (deps: DecisionDeps, { payer }: Credits, model: Model, usage: Usage): void =>
  settleInBackground(
    { ...deps.accounts, ...deps },
    {
      id: newId('decision'),
      at: toIso(deps.clock()),
      kind: 'decision',
      payer,
      model: model.id,
      inputTokens: usage.inputTokens,
      outputTokens: 0,
      amountNanoEuro: completionCost(priceAt(model, deps.clock()), usage),
    },
  );

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
