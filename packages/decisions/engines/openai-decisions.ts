import { type ModelUpstream, readTokenCount, UpstreamError } from '@errand/models';
import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { ownProperty } from '../json-object.ts';
import { normaliseProbabilities, yesNo } from '../probabilities.ts';
import type { DecisionRequest, Option, Question } from '../request.ts';
import { askUpstreams, postJson } from './ask.ts';
import type { Asking, Engine, Reading } from './engine.ts';
import { writeRequest } from './write-openai-request.ts';

/** Forwards the request to a server that has OpenAI's `POST /v1/decisions`. */
export const askOpenAiDecisions: Engine = async (deps, model, request, asking) => {
  const { input, questions } = writeRequest(request);
  const ask = async (upstream: ModelUpstream, trial: Asking): Promise<Reading> => {
    const startedAt = deps.clock();
    const answer = await postJson(upstream, {
      path: '/decisions',
      body: stringifyOrderedJson(
        new Map<string, OrderedJson>([
          ['model', upstream.model],
          ['input', input],
          ['questions', questions],
        ]),
      ),
      ...trial,
    });
    return { ...readAnswer(request, answer), inferenceMilliseconds: deps.clock() - startedAt };
  };
  return askUpstreams(deps, model, asking, ask);
};

function readAnswer({ questions }: DecisionRequest, answer: unknown) {
  const answers = ownProperty(answer, 'answers');
  if (!Array.isArray(answers) || answers.length !== questions.length) throw new UpstreamError('unreadable');
  const usage = ownProperty(answer, 'usage');
  const inputTokens = readTokenCount(ownProperty(usage, 'input_tokens'));
  const details = ownProperty(usage, 'input_tokens_details');
  const cachedInputTokens = readTokenCount(ownProperty(details, 'cached_tokens'));
  const cacheWriteTokens = readTokenCount(ownProperty(details, 'cache_write_tokens'));
  return {
    probabilities: questions.map((question, index) => readQuestion(question, answers[index])),
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
  };
}

/** Undefined for a refusal. Reads only the probabilities: choice, score and confidence are computed from them. */
function readQuestion({ type, options }: Question, answer: unknown): number[] | undefined {
  const kind = ownProperty(answer, 'type');
  if (kind === 'refusal') return undefined;
  if (kind !== (type === 'noul' ? 'predicate' : type)) throw new UpstreamError('unreadable');
  if (type === 'noul') return yesNo(ownProperty(answer, 'probability'));
  const listed = ownProperty(answer, 'probabilities');
  if (!Array.isArray(listed) || listed.length !== options.length) throw new UpstreamError('unreadable');
  return normaliseProbabilities(
    type === 'score' ? listed.map((entry) => ownProperty(entry, 'probability')) : byValue(options, listed),
  );
}

/** The choices' probabilities in the order in which the choices were sent. */
function byValue(options: readonly Option[], listed: readonly unknown[]): unknown[] {
  const found = new Map(
    listed.map((entry) => [ownProperty(entry, 'value'), ownProperty(entry, 'probability')]),
  );
  return options.map(({ key, value = key }) => found.get(value));
}
