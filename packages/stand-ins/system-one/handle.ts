import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  checkJsonSize,
  isDomainError,
  type OrderedJson,
  type OrderedObject,
  parseOrderedJson,
  stringifyOrderedJson,
} from '@errand/platform';
import { findModel } from '../models.ts';
import { readBody, sendJson, sendJsonText } from '../wire/http.ts';
import { estimateTokens } from '../words.ts';
import { answerQuestion, type Option, type Question } from './answer.ts';

export async function handleSystemOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request);
  try {
    sendJsonText(response, 200, stringifyOrderedJson(decide(text)));
  } catch (error) {
    if (!(error instanceof SystemOneError)) throw error;
    const { message, status, code } = error;
    sendJson(response, status, code === undefined ? { error: message } : { error: message, code });
  }
}

function decide(text: string): OrderedJson {
  const { model, state, questions } = parseSystemOne(text);
  const answers = new Map(questions.map((question) => [question.id, answerQuestion(state, question)]));
  const usage = new Map([
    ['input_tokens', estimateTokens(text)],
    ['output_tokens', 0],
  ]);
  return new Map<string, OrderedJson>([
    ['model', model],
    ['answers', answers],
    ['usage', usage],
  ]);
}

interface SystemOneRequest {
  model: string;
  state: OrderedJson;
  questions: Question[];
}

class SystemOneError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const maxQuestions = 32;
const maxIdCharacters = 128;
const optionCounts = { choice: [2, 255], score: [2, 10] } as const;

function parseSystemOne(text: string): SystemOneRequest {
  const body = parseBody(text);
  if (!(body instanceof Map)) throw invalid('the body must be an object');
  const model = body.get('model');
  if (typeof model !== 'string') throw invalid('model must be a string');
  if (findModel(model, ['decision']) === undefined) throw new SystemOneError(400, 'Unsupported model');
  const questions = body.get('questions');
  if (!(questions instanceof Map)) throw invalid('questions must be an object');
  if (questions.size < 1 || questions.size > maxQuestions)
    throw invalid('questions must have 1 to 32 entries');
  return {
    model,
    state: readEntry(body, 'state', 'state'),
    questions: [...questions].map(([id, question]) => readQuestion(id, question)),
  };
}

function parseBody(text: string): OrderedJson {
  try {
    checkJsonSize(text);
    return parseOrderedJson(text).value;
  } catch (error) {
    if (isDomainError(error, 'nested_too_deep')) throw invalid('the body is nested too deeply');
    throw new SystemOneError(400, 'Malformed JSON in request body');
  }
}

function readQuestion(id: string, question: OrderedJson): Question {
  if (id === '' || [...id].length > maxIdCharacters) throw invalid('a question id has 1 to 128 characters');
  if (!(question instanceof Map)) throw invalid(`questions.${id} must be an object`);
  const type = question.get('type');
  if (type !== 'noul' && type !== 'choice' && type !== 'score') {
    throw invalid(`questions.${id}.type must be noul, choice or score`);
  }
  const instructions = question.has('instructions')
    ? readEntry(question, 'instructions', `questions.${id}.instructions`)
    : null;
  return { id, type, instructions, options: readOptions(type, question, `questions.${id}.criteria`) };
}

function readOptions(type: Question['type'], question: OrderedObject, at: string): Option[] {
  const criteria = question.get('criteria') ?? null;
  const options = optionsOf(type, criteria);
  if (options === undefined) throw invalid(`${at} has the wrong form`);
  if (type === 'noul') return options.filter(({ key }) => key === 'true' || key === 'false');
  const [least, most] = optionCounts[type];
  if (options.length < least || options.length > most)
    throw invalid(`${at} must have ${least} to ${most} entries`);
  return options;
}

function optionsOf(type: Question['type'], criteria: OrderedJson): Option[] | undefined {
  if (type === 'noul' && criteria === null) return [];
  if (type === 'score') {
    if (!Array.isArray(criteria) || !criteria.every(isEntry)) return undefined;
    return criteria.map((description, level) => ({ key: String(level), description }));
  }
  if (!(criteria instanceof Map) || ![...criteria.values()].every(isEntry)) return undefined;
  return [...criteria].map(([key, description]) => ({ key, description }));
}

function readEntry(object: OrderedObject, key: string, at: string): OrderedJson {
  const value = object.get(key);
  if (value === undefined || !isEntry(value)) throw invalid(`${at} must be a string, object, array or null`);
  return value;
}

/** The protocol takes strings, objects, arrays and null as texts, but no numbers or booleans. */
const isEntry = (value: OrderedJson): boolean => typeof value !== 'number' && typeof value !== 'boolean';

const invalid = (message: string): SystemOneError => new SystemOneError(422, message, 'invalid_request');
