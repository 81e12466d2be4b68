import { DomainError, type Issue, type OrderedJson, parseOrderedJson, validate } from '@errand/platform';
import {
  caseOf,
  type DecisionRequest,
  type Item,
  type Option,
  type Part,
  type Question,
} from '../../request.ts';
import { type OpenAiBody, openAiBody } from './request-schema.ts';

type SentItem = Exclude<OpenAiBody['input'], string>[number];
type SentContent = Extract<SentItem, { content: unknown }>['content'];
type SentPart = Exclude<SentContent, string>[number];
type SentQuestion = OpenAiBody['questions'][number];

type Path = readonly (string | number)[];

/** What the readers of a request's parts share. */
interface Reader {
  /** A value of the body, with the keys of its objects in the order sent. */
  ordered(path: Path): OrderedJson | undefined;
  issues: Issue[];
}

/**
 * Reads a request in OpenAI's words. Unknown fields are ignored. Throws `invalid_request` with every issue of its
 * shape or, if the shape is right, with every entry that contradicts another entry.
 */
export function readOpenAiRequest(fields: object, body: string): DecisionRequest {
  const { input, questions } = validate(openAiBody, fields);
  const reader: Reader = { issues: [], ordered: orderedValues(body) };
  const request = {
    input: typeof input === 'string' ? caseOf(input) : readItems(input, reader),
    questions: questions.map((question, index) => readQuestion(question, index, reader)),
  };
  reader.issues.push(...repeatedNames(questions));
  if (reader.issues.length > 0) throw new DomainError('invalid_request', { issues: reader.issues });
  return request;
}

/**
 * Parses the body in the order of its keys when a value is first asked for: the order matters only for values that
 * callers send as JSON, and few requests have any. Throws `invalid_request` for what such a parser refuses.
 */
function orderedValues(body: string): Reader['ordered'] {
  let root: OrderedJson | undefined;
  return (path) => {
    if (root === undefined) {
      const { value, issue } = parseOrderedJson(body);
      if (issue) throw new DomainError('invalid_request', { issues: [issue] });
      root = value;
    }
    return path.reduce<OrderedJson | undefined>(
      (found, key) => (found instanceof Map ? found.get(String(key)) : (found as OrderedJson[])[Number(key)]),
      root,
    );
  };
}

function readItems(items: readonly SentItem[], reader: Reader): Item[] {
  const open = new Set<string>();
  return items.map((item, index): Item => {
    const at = ['input', index];
    switch (item.type) {
      case 'function_call':
      case 'custom_tool_call': {
        const kind = item.type === 'function_call' ? 'function' : 'custom';
        open.add(`${kind} ${item.call_id}`);
        const input = item.type === 'function_call' ? item.arguments : item.input;
        return { type: 'call', kind, id: item.call_id, name: item.name, input };
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const kind = item.type === 'function_call_output' ? 'function' : 'custom';
        if (!open.has(`${kind} ${item.call_id}`))
          reader.issues.push({ field: `input[${index}].call_id`, problem: 'names no call before it' });
        return {
          type: 'output',
          kind,
          id: item.call_id,
          parts: readContent(item.output, [...at, 'output'], reader),
        };
      }
      default:
        return {
          type: 'message',
          role: item.role,
          parts: readContent(item.content, [...at, 'content'], reader),
        };
    }
  });
}

function readContent(content: SentContent, at: Path, reader: Reader): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part, index) => readPart(part, [...at, index], reader));
}

function readPart(part: SentPart, at: Path, { ordered }: Reader): Part {
  if (part.type === 'input_image')
    return { type: 'image', url: part.image_url, detail: part.detail ?? undefined };
  if (part.type === 'input_json')
    return { type: 'json', value: ordered([...at, 'data']) as (Part & { type: 'json' })['value'] };
  return { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text };
}

const yesAndNo: Option[] = ['true', 'false'].map((key) => ({ key, description: null }));

function readQuestion(question: SentQuestion, index: number, reader: Reader): Question {
  const at = ['questions', index];
  const head = {
    id: `question_${index + 1}`,
    name: question.name ?? undefined,
    instructions: readContent(question.instructions, [...at, 'instructions'], reader),
  };
  if (question.type === 'predicate') return { ...head, type: 'noul', options: yesAndNo };
  if (question.type === 'choice')
    return {
      ...head,
      type: 'choice',
      options: readChoices(question.choices, `questions[${index}].choices`, reader),
    };
  const options = question.levels.map(({ label, description = null }, level) => ({
    key: String(level),
    label,
    value: label,
    description,
  }));
  return { ...head, type: 'score', options };
}

/** Callers find an answer by the name of its question. */
function repeatedNames(questions: readonly SentQuestion[]): Issue[] {
  const names = new Set<string>();
  return questions.flatMap(({ name }, index) => {
    if (name == null) return [];
    const isRepeated = names.has(name);
    names.add(name);
    return isRepeated ? [{ field: `questions[${index}].name`, problem: 'is there twice' }] : [];
  });
}

type SentChoices = Extract<SentQuestion, { type: 'choice' }>['choices'];

function readChoices(choices: SentChoices, at: string, { issues }: Reader): Option[] {
  const booleans = new Set(choices.map(({ value }) => value).filter((value) => typeof value === 'boolean'));
  const values = new Set<string | boolean>();
  return choices.map(({ value, description = null }, index) => {
    if (values.has(value)) issues.push({ field: `${at}[${index}].value`, problem: 'is there twice' });
    values.add(value);
    const label = labelOf(value, booleans);
    return { key: label, label, value, description };
  });
}

/**
 * What the model reads of a value, and the key of the option: a text that would be read as a boolean of the same question, or
 * could be no key, is quoted. So is one that begins with a quote, so that no two values have the same label.
 */
function labelOf(value: string | boolean, booleans: ReadonlySet<boolean>): string {
  if (typeof value === 'boolean') return String(value);
  const isBoolean = (value === 'true' || value === 'false') && booleans.has(value === 'true');
  return isBoolean || value === '__proto__' || value.startsWith('"') ? JSON.stringify(value) : value;
}
