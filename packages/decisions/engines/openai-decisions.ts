import { type ModelUpstream, readTokenCount, UpstreamError } from '@errand/models';
import { type OrderedJson, type OrderedObject, stringifyOrderedJson } from '@errand/platform';
import { ownProperty } from '../own-property.ts';
import { normaliseProbabilities } from '../probabilities.ts';
import { textOf } from '../read-text.ts';
import type { DecisionRequest, Item, Option, Part, Question } from '../request.ts';
import { askUpstreams, postJson } from './ask.ts';
import type { Engine, Reading } from './engine.ts';

/** Forwards the request to a server that has OpenAI's `POST /v1/decisions`. */
export const askOpenAiDecisions: Engine = async (deps, model, request, asking) => {
  const input = writeInput(request.input);
  const questions = request.questions.map(writeQuestion);
  const ask = async (upstream: ModelUpstream): Promise<Reading> => {
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
      signal: asking.signal,
      taking: asking.taking,
    });
    return { ...readAnswer(request, answer), inferenceMilliseconds: deps.clock() - startedAt };
  };
  return askUpstreams(deps, model, asking, ask);
};

/** A case that is one text is sent as that text. */
function writeInput(input: readonly Item[]): OrderedJson {
  const [only] = input;
  if (input.length === 1 && only?.type === 'message' && only.role === 'user') {
    const [part, ...more] = only.parts;
    if (part?.type === 'text' && more.length === 0) return part.text;
  }
  return input.map(writeItem);
}

function writeItem(item: Item): OrderedObject {
  if (item.type === 'message') {
    const textType = item.role === 'assistant' ? 'output_text' : 'input_text';
    return new Map<string, OrderedJson>([
      ['type', 'message'],
      ['role', item.role],
      ['content', item.parts.map((part) => writePart(part, textType))],
    ]);
  }
  const [call, field] =
    item.kind === 'function' ? ['function_call', 'arguments'] : ['custom_tool_call', 'input'];
  if (item.type === 'call')
    return new Map<string, OrderedJson>([
      ['type', call],
      ['call_id', item.id],
      ['name', item.name],
      [field, item.input],
    ]);
  return new Map<string, OrderedJson>([
    ['type', `${call}_output`],
    ['call_id', item.id],
    ['output', item.parts.map((part) => writePart(part, 'input_text'))],
  ]);
}

function writePart(part: Part, textType: string): OrderedObject {
  if (part.type === 'image')
    return new Map<string, OrderedJson>([
      ['type', 'input_image'],
      ['image_url', part.url],
      ...(part.detail === undefined ? [] : [['detail', part.detail] as const]),
    ]);
  if (part.type === 'json' && isObjects(part.value))
    return new Map<string, OrderedJson>([
      ['type', 'input_json'],
      ['data', part.value],
    ]);
  return new Map<string, OrderedJson>([
    ['type', textType],
    ['text', part.type === 'text' ? part.text : textOf(part.value)],
  ]);
}

/** The JSON that a part may have. Any other is sent as its text. */
const isObjects = (value: OrderedJson): boolean =>
  value instanceof Map || (Array.isArray(value) && value.every((entry) => entry instanceof Map));

function writeQuestion(question: Question): OrderedObject {
  const { id, name, type, instructions, options } = question;
  const parts = instructions.length > 0 ? instructions : [{ type: 'text' as const, text: id }];
  const meanings = type === 'noul' ? meaningsOf(options) : [];
  const content = [...parts, ...meanings].map((part) => writePart(part, 'input_text'));
  const described: OrderedObject = new Map<string, OrderedJson>([
    ['type', type === 'noul' ? 'predicate' : type],
    ...(name === undefined ? [] : [['name', name] as const]),
    ['instructions', content],
  ]);
  if (type === 'choice') described.set('choices', options.map(writeChoice));
  if (type === 'score') described.set('levels', options.map(writeLevel));
  return described;
}

/** A predicate has no descriptions of yes and no: they are added to its instructions. */
const meaningsOf = (options: readonly Option[]): Part[] =>
  options
    .filter(({ description }) => description !== null)
    .map(({ key, description }) => ({
      type: 'text',
      text: `${key === 'true' ? 'Yes' : 'No'}: ${textOf(description)}`,
    }));

const writeChoice = ({ key, value = key, description }: Option): OrderedObject =>
  withDescription(['value', value], description);

const writeLevel = ({ key, label = key, description }: Option): OrderedObject =>
  withDescription(['label', label], description);

const withDescription = (field: [string, OrderedJson], description: OrderedJson): OrderedObject =>
  new Map<string, OrderedJson>([
    field,
    ...(description === null ? [] : [['description', textOf(description)] as const]),
  ]);

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
    ...(inputTokens !== undefined && { inputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  };
}

/** Undefined for a refusal. Reads only the probabilities: choice, score and confidence are computed from them. */
function readQuestion({ type, options }: Question, answer: unknown): number[] | undefined {
  const kind = ownProperty(answer, 'type');
  if (kind === 'refusal') return undefined;
  if (kind !== (type === 'noul' ? 'predicate' : type)) throw new UpstreamError('unreadable');
  if (type === 'noul') {
    const yes = ownProperty(answer, 'probability');
    return normaliseProbabilities([yes, typeof yes === 'number' ? 1 - yes : yes]);
  }
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
