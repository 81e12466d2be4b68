import { inspect } from 'node:util';
import { createLog, type LogFields } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../../test/support/scripted-upstream.ts';
import type { Upstreams } from '../circuit.ts';
import { tryUpstreams } from '../retry.ts';
import { requestUpstream } from '../upstream.ts';
import type { UpstreamError } from '../upstream-error.ts';

const apiKey = 'key-of-this-upstream-1';
const otherKey = 'key-of-another-upstream-2';

let upstream: ScriptedUpstream;
let model: Upstreams;
let now: number;
let lines: LogFields[];

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  now = 1_000_000;
  lines = [];
  const server = { baseUrl: upstream.baseUrl, model: 'acme/big-1', apiKey, apiKeyEnv: 'ACME_KEY' };
  model = { id: 'writer', upstream: server, fallbacks: [] };
});

const deps = {
  clock: () => now,
  log: createLog((line) => void lines.push(JSON.parse(line))),
  hidden: { secrets: [otherKey], hosts: ['models.other.example'] },
};

const refusedWith = (status: number, body: unknown, at = model): Promise<UpstreamError> => {
  upstream.script((wire) => wire.json(status, body));
  return tryUpstreams(deps, at, (server) => requestUpstream(server, { path: '/x', body: '{}' })).then(
    () => expect.unreachable('it was not refused'),
    (error) => error,
  );
};

const address = () => `127.0.0.1:${new URL(upstream.baseUrl).port}/v1`;

test.each([400, 413, 422])(
  'a refusal (%d) has the upstream’s words for the caller, with nothing of ours',
  async (status) => {
    const message = `acme/big-1 at ${upstream.baseUrl} and models.other.example: no tools with ${apiKey} or ${otherKey}`;
    const failure = await refusedWith(status, { error: { message, code: 'no_tools', param: 'tools' } });
    expect(failure).toMatchObject({
      kind: 'refused',
      status,
      words: 'writer at [removed] and [removed]: no tools with [removed] or [removed]',
      code: 'no_tools',
      param: 'tools',
    });
  },
);

test('a refusal is one line of the log, without a word of the message', async () => {
  const error = { message: `the caller wrote: my diary, ${apiKey}`, code: 'no_tools', param: 'tools' };
  const failure = await refusedWith(400, { error });
  expect(lines).toEqual([
    {
      time: expect.any(String),
      level: 'warn',
      message: 'upstream refused the request',
      model: 'writer',
      address: address(),
      status: 400,
      code: 'other',
    },
  ]);
  expect(inspect(failure, { showHidden: true })).not.toContain(apiKey);
});

test.each([
  ['is a sentence', 'my diary of today'],
  ['is one word of the caller', 'caller_text_mydiary'],
  ['is a key', apiKey],
  ['is a key in another case', otherKey.toUpperCase()],
])('a code that %s is in the log as `other`', async (_, code) => {
  await refusedWith(400, { error: { message: 'no', code } });
  expect(lines).toEqual([expect.objectContaining({ code: 'other' })]);
  expect(JSON.stringify(lines)).not.toContain(code);
});

test.each([
  [
    'a code',
    { message: 'no', code: 'unsupported_value', type: 'invalid_request_error' },
    'unsupported_value',
  ],
  [
    'a type beside a number',
    { message: 'no', code: 1500, type: 'invalid_request_error' },
    'invalid_request_error',
  ],
  [
    'a type beside an unknown code',
    { message: 'no', code: 'x', type: 'rate_limit_error' },
    'rate_limit_error',
  ],
  ['neither', { message: 'no', code: 400 }, undefined],
])('the log has the known name in %s', async (_, error, code) => {
  await refusedWith(400, { error });
  expect(lines.map((line) => line.code)).toEqual([code]);
});

describe('an upstream that does not have the model of the catalogue', () => {
  test.each([
    ['OpenRouter', { error: { message: 'acme/big-1 is not a valid model ID', code: 'model_not_found' } }],
    ['OpenAI', { error: { message: 'No acme/big-1', code: 'model_not_found', param: 'model' } }],
    [
      'Mistral',
      { object: 'error', message: 'Invalid model: acme/big-1', type: 'invalid_model', code: '1500' },
    ],
  ])('in the words of %s does not accept our set-up', async (_, body) => {
    const failure = await refusedWith(400, body);
    expect(failure).toMatchObject({ kind: 'misconfigured', status: 400 });
    expect(failure.words).toBeUndefined();
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'upstream does not accept our set-up',
        model: 'writer',
        address: address(),
        code: expect.stringMatching(/^(model_not_found|invalid_model)$/),
      }),
    ]);
  });

  test('differs from one that does not have what another field of the request names', async () => {
    const error = { message: 'no', code: 'model_not_found', param: 'prediction.model' };
    expect(await refusedWith(400, { error })).toMatchObject({ kind: 'refused' });
  });
});

test.each([
  ['is empty', 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.'],
  [
    'has spent its limit',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
  ],
  ['is disabled', 'This organization has been disabled.'],
])(
  'an upstream whose account %s does not accept our set-up, though it says so with a 400',
  async (_, message) => {
    const error = { type: 'invalid_request_error', message };
    const failure = await refusedWith(400, { type: 'error', error });
    expect(failure).toMatchObject({ kind: 'misconfigured', status: 400 });
    expect(failure.words).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'error', message: 'upstream does not accept our set-up' }]);
  },
);

test('a key in `code` or `param` is removed', async () => {
  const error = { message: 'no', code: otherKey, param: apiKey };
  expect(await refusedWith(400, { error })).toMatchObject({ kind: 'refused', code: null, param: null });
});

test.each([
  ['a body that is too large to read', 'x'.repeat(300_000)],
  ['a page', '<!DOCTYPE html><html></html>'],
  ['nothing', ''],
])('%s gives no words', async (_, body) => {
  expect((await refusedWith(400, body)).words).toBeUndefined();
});

describe('an upstream that does not accept our set-up', () => {
  test.each([401, 403, 404])(
    '(%d) is an error that names what has to be looked at, and says nothing to the caller',
    async (status) => {
      const failure = await refusedWith(status, {
        error: { message: `bad key ${apiKey}`, code: 'invalid_api_key' },
      });
      expect(failure).toMatchObject({ kind: 'misconfigured', status });
      expect(failure.words).toBeUndefined();
      expect(lines).toEqual([
        {
          time: expect.any(String),
          level: 'error',
          message: 'upstream does not accept our set-up',
          model: 'writer',
          address: address(),
          status,
          code: 'invalid_api_key',
          apiKeyEnv: 'ACME_KEY',
        },
      ]);
    },
  );

  test('is logged once a minute, with the number of the lines that were left out', async () => {
    const failAt = async (milliseconds: number) => {
      now = 1_000_000 + milliseconds;
      await refusedWith(401, {});
    };
    for (const at of [0, 1, 59_999, 60_000, 60_001]) await failAt(at);
    expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 2]);
    await failAt(-10_000);
    expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 2, 1]);
  });

  test('does not silence another one', async () => {
    await refusedWith(401, {});
    await refusedWith(401, {}, { ...model, id: 'other', upstream: { ...model.upstream } });
    expect(lines.map(({ model: id }) => id)).toEqual(['writer', 'other']);
  });
});
