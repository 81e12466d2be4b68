import type { OrderedJson, OrderedObject } from '@errand/platform';
import { textOf } from '../read-text.ts';
import {
  type DecisionRequest,
  type Item,
  type Option,
  onlyPart,
  type Part,
  type Question,
} from '../request.ts';

/** A decision request in OpenAI's words, without the model. */
export const writeRequest = ({ input, questions }: DecisionRequest) => ({
  input: writeInput(input),
  questions: questions.map(writeQuestion),
});

/** A case that is one text is sent as that text. */
function writeInput(input: readonly Item[]): OrderedJson {
  const part = onlyPart(input);
  return part?.type === 'text' ? part.text : input.map(writeItem);
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
