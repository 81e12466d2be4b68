import { limits } from '@errand/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileSchemas } from '../support/document/compile-schemas.ts';
import {
  type DescribedHeader,
  deref,
  describedApp,
  type OpenApiDocument,
} from '../support/openapi-document.ts';

let document: OpenApiDocument;
let allows: (schema: string, value: object) => boolean;

beforeAll(async () => {
  ({ document } = await describedApp());
  const validate = compileSchemas(document);
  allows = (schema, value) => validate(document.components.schemas[schema] ?? {}, value) === undefined;
});

const run = { question: 'Why?' };
const form = { question: 'Why?', file: 'x' };
const chat = { model: 'writer', messages: [{ role: 'user', content: 'Hello' }] };
const asked = (name: string) => ({
  type: 'input_required',
  message: 'More?',
  expected: [{ name, description: 'it' }],
});

describe('the document allows what the service takes', () => {
  test.each([
    ['NewRun', { question: '𝄞'.repeat(limits.questionCharacters) }],
    ['NewRun', { ...run, maxCredits: '0.50' }],
    ['NewRunForm', { ...form, proof: 'false' }],
    ['ChatCompletionRequest', { ...chat, tool_choice: { type: 'allowed_tools', allowed_tools: {} } }],
    ['ChatCompletionRequest', { ...chat, response_format: { type: 'json_object', strict: true } }],
    ['InputRequiredEvent', asked('audioUrl')],
  ])('%s %#', (schema, value) => expect(allows(schema, value)).toBe(true));
});

describe('the document refuses what the service refuses, or no model knows', () => {
  test.each([
    ['NewRun', { question: '' }],
    ['NewRun', { question: 'a'.repeat(limits.questionCharacters + 1) }],
    ['NewRun', { ...run, maxCredits: 'much' }],
    ['NewRun', { ...run, maxCredits: '-1' }],
    ['NewRunForm', { ...form, proof: 'yes' }],
    ['ChatCompletionRequest', { ...chat, tool_choice: 'sometimes' }],
    ['ChatCompletionRequest', { ...chat, response_format: { type: 'xml' } }],
    ['InputRequiredEvent', asked('budget')],
  ])('%s %#', (schema, value) => expect(allows(schema, value)).toBe(false));
});

test.each(['ChatCompletion', 'ChatCompletionChunk', 'OpenAiError'])(
  '%s names all properties at its top level, so that types can distinguish it from the others',
  (name) => expect(document.components.schemas[name]).not.toHaveProperty('additionalProperties'),
);

test.each([
  ['400', 'model'],
  ['422', 'questions'],
])('the example of a refused decision (%s) says which field is wrong', (status, param) => {
  const response = document.paths['/v1/decisions']?.post?.responses[status];
  const { content } = deref(document, response ?? { description: '' });
  expect(content?.['application/json']?.example).toMatchObject({ error: { param } });
});

test('a header that an answer may lack is no reference, since generators take referenced headers for always present', () => {
  const headers = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((response) => Object.values(deref(document, response).headers ?? {}));
  const referred = headers
    .filter((header) => '$ref' in header)
    .map((header) => deref<DescribedHeader>(document, header));
  const optional = headers.filter((header) => 'required' in header && !header.required);
  expect(referred.every(({ required }) => required)).toBe(true);
  expect(optional.length).toBeGreaterThan(5);
});

test('components have names that are identifiers, and headers their own', () => {
  const { schemas, responses, headers } = document.components;
  expect(
    [...Object.keys(schemas), ...Object.keys(responses)].filter((name) => !/^[A-Z]\w+$/.test(name)),
  ).toEqual([]);
  expect(Object.keys(headers).filter((name) => name.includes('.'))).toEqual([]);
});
