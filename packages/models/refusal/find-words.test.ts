import { describe, expect, test } from 'vitest';
import { findWords } from './find-words.ts';

const says = (body: unknown) => findWords(typeof body === 'string' ? body : JSON.stringify(body));

const shapes: [provider: string, body: unknown, text: string, code?: string, param?: string][] = [
  [
    'OpenAI',
    {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    "This model's maximum context length is 8192 tokens.",
    'context_length_exceeded',
    'messages',
  ],
  [
    'Mistral, a validator',
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'max_completion_tokens'],
            msg: 'Extra inputs are not permitted',
            input: 32000,
          },
        ],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
    'max_completion_tokens: Extra inputs are not permitted',
  ],
  [
    'Mistral, a sentence',
    {
      object: 'error',
      message: 'Expected last role User or Tool',
      type: 'invalid_request_error',
      param: null,
      code: '3230',
    },
    'Expected last role User or Tool',
    '3230',
  ],
  [
    'FastAPI, a list',
    {
      detail: [
        { loc: ['body', 'messages', 0, 'role'], msg: 'Field required', type: 'missing' },
        { loc: ['body', 'n'], msg: 'Input should be a valid integer', type: 'int_type' },
      ],
    },
    'messages.0.role: Field required; n: Input should be a valid integer',
  ],
  ['FastAPI, a sentence', { detail: 'Prompt is too long' }, 'Prompt is too long'],
  [
    'vLLM',
    {
      object: 'error',
      message: 'top_p must be in (0, 1]',
      type: 'BadRequestError',
      param: 'top_p',
      code: 400,
    },
    'top_p must be in (0, 1]',
    undefined,
    'top_p',
  ],
  [
    'vLLM, newer',
    { error: { message: 'top_p must be in (0, 1]', type: 'BadRequestError', param: null, code: 400 } },
    'top_p must be in (0, 1]',
  ],
  ['Ollama', { error: 'llama3 does not support tools' }, 'llama3 does not support tools'],
  [
    'Anthropic',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'messages.1.content: must not be empty' },
      request_id: 'req_011',
    },
    'messages.1.content: must not be empty',
  ],
  [
    'Google',
    [{ error: { code: 400, message: 'Unable to submit request', status: 'INVALID_ARGUMENT' } }],
    'Unable to submit request',
  ],
  [
    'TGI',
    { error: 'Input validation error: `top_p` must be > 0.0', error_type: 'validation' },
    'Input validation error: `top_p` must be > 0.0',
  ],
  [
    'TGI, a list',
    { error: ['Error in `max_new_tokens`: too large'] },
    'Error in `max_new_tokens`: too large',
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    },
    'the request exceeds the available context size',
  ],
  [
    'OpenRouter, with the provider’s JSON',
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"error":{"message":"At most 1 image is supported","code":"too_many_images","param":"messages"}}',
          provider_name: 'Other',
        },
      },
      user_id: 'user_2x',
    },
    'At most 1 image is supported',
    'too_many_images',
    'messages',
  ],
  [
    'OpenRouter, with the provider’s text',
    { error: { message: 'Provider returned error', code: 400, metadata: { raw: 'no tools here' } } },
    'no tools here',
  ],
  ['OpenRouter, without it', { error: { message: 'Invalid model', code: 400 } }, 'Invalid model'],
  ['xAI', { code: 'invalid-argument', error: 'n must be 1' }, 'n must be 1', 'invalid-argument'],
  ['Cohere and Bedrock', { message: 'invalid request' }, 'invalid request'],
  [
    'a framework',
    { statusCode: 400, error: 'Bad Request', message: 'body must have messages' },
    'body must have messages',
  ],
  ['problem details', { title: 'Unprocessable', status: 422, detail: 'n is too large' }, 'n is too large'],
  ['Cloudflare', { success: false, errors: [{ code: 5006, message: 'oneOf not met' }] }, 'oneOf not met'],
  [
    'Deepgram',
    { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data' },
    'corrupt or unsupported data',
  ],
  ['a gateway that quotes JSON', { error: { message: '{"detail":"no such tool"}' } }, 'no such tool'],
  ['a text', 'prompt is too long\n', 'prompt is too long'],
  ['a JSON text', '"prompt is too long"', 'prompt is too long'],
];

test.each(shapes)('the reason is found in the answer of %s', (_, body, text, code, param) => {
  const { type, ...found } = says(body);
  expect(found).toEqual({
    text,
    code,
    param,
  });
});

test('the innermost type is found, beside a code that is a number of the provider', () => {
  const mistral = {
    object: 'error',
    message: 'Invalid model: x',
    type: 'invalid_model',
    param: null,
    code: '1500',
  };
  expect(says(mistral)).toEqual({ text: 'Invalid model: x', type: 'invalid_model', code: '1500' });
  const anthropic = { type: 'error', error: { type: 'authentication_error', message: 'no' } };
  expect(says(anthropic).type).toBe('authentication_error');
});

describe('no reason is found in', () => {
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['a page', '<!DOCTYPE html><html><body>400 Bad Request</body></html>'],
    ['a page without a doctype', '<html>\n<head><title>413</title></head></html>'],
    ['a page inside JSON', { error: { message: '<html><body>no</body></html>' } }],
    ['an empty object', {}],
    ['null', 'null'],
    ['a number', '42'],
    ['numbers where texts belong', { error: { message: 42 } }],
    ['JSON that is cut off', '{"error":{"message":"too lo'],
    ['an endless nest', '{"error":'.repeat(2_000) + '"deep"' + '}'.repeat(2_000)],
    ['an endless list', `${'['.repeat(2_000)}"deep"${']'.repeat(2_000)}`],
  ])('%s', (_, body) => {
    expect(says(body).text).toBeUndefined();
  });
});

test('at most ten of a validator’s complaints are read', () => {
  const detail = Array.from({ length: 50 }, (_, index) => ({ loc: ['body', index], msg: 'wrong' }));
  expect(says({ detail }).text?.split('; ')).toHaveLength(10);
});
