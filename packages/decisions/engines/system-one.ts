import { type ModelUpstream, readTokenCount, UpstreamError } from '@errand/models';
import { type OrderedJson, type OrderedObject, stringifyOrderedJson } from '@errand/platform';
import { ownProperty } from '../json-object.ts';
import { normaliseProbabilities, yesNo } from '../probabilities.ts';
import { instructionsOf, optionText, stateOf } from '../read-text.ts';
import type { DecisionRequest, Option, Question } from '../request.ts';
import { askUpstreams, atRoot, postJson } from './ask.ts';
import type { Asking, Engine } from './engine.ts';

/** Forwards the request to a server that implements the decision protocol. */
export const askSystemOne: Engine = async (deps, model, request, asking) => {
  const questions: OrderedObject = new Map(
    request.questions.map((question) => [question.id, describeQuestion(question)]),
  );
  const state = stateOf(request.input);
  const ask = async (upstream: ModelUpstream, trial: Asking) => {
    const body = new Map<string, OrderedJson>([
      ['model', upstream.model],
      ['state', state],
      ['questions', questions],
    ]);
    const startedAt = deps.clock();
    const answer = await postJson(atRoot(upstream), {
      path: upstream.path ?? '/v1/systemone',
      body: stringifyOrderedJson(body),
      ...trial,
    });
    const inferenceMilliseconds = deps.clock() - startedAt;
    return { ...readAnswer(request, answer), inferenceMilliseconds };
  };
  return askUpstreams(deps, model, asking, ask);
};

/** The fields of the protocol only. Absent ones are left out, because servers differ in how they read null. */
function describeQuestion(question: Question): OrderedObject {
  const described: OrderedObject = new Map([['type', question.type]]);
  if (question.instructions.length > 0) described.set('instructions', instructionsOf(question));
  const criteria = criteriaOf(question);
  if (criteria) described.set('criteria', criteria);
  return described;
}

function criteriaOf({ type, options }: Question): OrderedObject | OrderedJson[] | undefined {
  const describe = (option: Option): OrderedJson =>
    option.label === undefined || (option.description === null && option.label === option.key)
      ? option.description
      : optionText({ type }, option);
  if (type === 'score') return options.map(describe);
  const known = type === 'noul' ? options.filter(({ description }) => description !== null) : options;
  return known.length > 0 ? new Map(known.map((option) => [option.key, describe(option)])) : undefined;
}

function readAnswer({ questions }: DecisionRequest, answer: unknown) {
  const answers = ownProperty(answer, 'answers');
  const inputTokens = readTokenCount(ownProperty(ownProperty(answer, 'usage'), 'input_tokens'));
  return {
    probabilities: questions.map((question) => readQuestion(question, ownProperty(answers, question.id))),
    inputTokens,
  };
}

/** Reads only the probabilities: the choice, the expected level and the confidence are computed from them. */
function readQuestion({ type, options }: Question, answer: unknown): number[] {
  if (ownProperty(answer, 'type') !== type) throw new UpstreamError('unreadable');
  if (type === 'noul') return yesNo(ownProperty(answer, 'noul'));
  const probabilities = ownProperty(answer, 'probabilities');
  if (typeof probabilities !== 'object' || probabilities === null || Array.isArray(probabilities))
    throw new UpstreamError('unreadable');
  if (Object.keys(probabilities).length !== options.length) throw new UpstreamError('unreadable');
  return normaliseProbabilities(options.map(({ key }) => ownProperty(probabilities, key)));
}
