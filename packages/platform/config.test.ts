import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { limits } from './limits.ts';

function problemsOf(
  env: Record<string, string>,
  mode: 'local' | 'cloud' = 'local',
  needs: { links?: boolean } = {},
): string[] {
  try {
    readConfig(mode, env, needs);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('the environment', () => {
  test('a trailing line end of a variable is dropped', () => {
    const config = readConfig('local', {
      MODEL_API_KEY: 'sk-1\n',
      SKILLS_ENABLED: 'false\r\n',
      OTHER_KEY: ' sk-2\n',
    });
    expect([config.model.apiKey, config.skillsEnabled, config.secret('OTHER_KEY')]).toEqual([
      'sk-1',
      false,
      'sk-2',
    ]);
  });

  test('has a default for everything in local mode', () => {
    expect(readConfig('local', {})).toMatchObject({
      port: 8787,
      host: '127.0.0.1',
      dataDir: '.local',
      search: { provider: 'wikipedia' },
      carbon: { zone: 'NL' },
      agentsEnabled: true,
      location: 'eu',
      providerScope: 'provider',
      rateLimitRequests: 600,
      runLeaseSeconds: 60,
    });
  });

  test('may have empty variables, which count as unset', () => {
    expect(readConfig('local', { PORT: '', MODEL_BASE_URL: '' })).toMatchObject({ port: 8787, model: {} });
  });

  test.each([
    ['STORE_SECRET', 'storeSecrets'],
    ['ORIGIN_SECRET', 'originSecrets'],
  ] as const)('may have several values of %s, each long enough', (name, field) => {
    const [now, earlier] = ['n'.repeat(32), 'e'.repeat(32)];
    expect(readConfig('local', {})[field]).toEqual([]);
    // A stage that has no earlier one has an empty one.
    expect(readConfig('local', { [name]: `${now},` })[field]).toEqual([now]);
    expect(readConfig('local', { [name]: `${now}, ${earlier}` })[field]).toEqual([now, earlier]);
    expect(problemsOf({ [name]: `${now},short` })).toEqual([
      `${name} must be of at least 32 characters, or several such separated by commas`,
    ]);
  });

  test('is refused with every problem listed', () => {
    const problems = problemsOf({
      PORT: '70000',
      AGENTS_ENABLED: 'yes',
      LOCATION: 'mars',
      SEARCH_PROVIDER: 'brave',
      MODEL_BASE_URL: 'not a url',
      FETCH_ALLOWED_HOSTS: 'localhost',
      PROVIDER_SCOPE: 'user',
      RUN_LEASE_SECONDS: '-1',
      UPSTREAM_PATIENCE_SECONDS: '1.5',
    });
    for (const name of [
      'PORT',
      'AGENTS_ENABLED',
      'LOCATION',
      'SEARCH_API_KEY',
      'MODEL_BASE_URL',
      'MODEL_ID',
      'FETCH_ALLOWED_HOSTS',
      'PROVIDER_SCOPE',
      'RUN_LEASE_SECONDS',
      'UPSTREAM_PATIENCE_SECONDS',
    ])
      expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(problems).toHaveLength(10);
  });

  test('names the variables of the one model, not an entry of a catalogue', () => {
    expect(problemsOf({ MODEL_BASE_URL: 'http://user:key@host/v1', MODEL_ID: 'a b' })).toEqual([
      'MODEL_BASE_URL must have no credentials',
      'MODEL_ID must be 1 to 128 letters, digits and . _ : @ / -',
    ]);
  });

  test('may open private hosts in local mode only', () => {
    const env = { FETCH_ALLOWED_HOSTS: '127.0.0.1:8000, [::1]:9000' };
    expect(readConfig('local', env).fetchAllowedHosts).toEqual(new Set(['127.0.0.1:8000', '[::1]:9000']));
    expect(problemsOf(env, 'cloud')).toContain('FETCH_ALLOWED_HOSTS is refused outside local mode');
  });

  test('of a deployed function must name its tables, queues and bucket, and the secret of links if it makes or checks some', () => {
    const stores = [
      'TABLE_NAMES must be set',
      'QUEUE_URL must be set',
      'WEBHOOK_QUEUE_URL must be set',
      'BUCKET_NAME must be set',
    ];
    expect(problemsOf({}, 'cloud')).toEqual(stores);
    expect(problemsOf({}, 'cloud', { links: true })).toEqual([...stores, 'LINK_SECRET must be set']);
  });
});

test('an answer may take 55 s, or as many whole seconds as ANSWER_SECONDS says, up to the longest that an edge waits for', () => {
  expect(readConfig('local', {}).answerMilliseconds).toBe(limits.answerMilliseconds);
  expect(readConfig('local', { ANSWER_SECONDS: '115' }).answerMilliseconds).toBe(115_000);
  const wrong = {
    54: 'at least 55',
    116: 'at most 115',
    60.5: 'a whole number',
    'a minute': 'a whole number',
  };
  for (const [ANSWER_SECONDS, problem] of Object.entries(wrong))
    expect(problemsOf({ ANSWER_SECONDS })).toEqual([`ANSWER_SECONDS must be ${problem}`]);
});

test('runs can be read for a day, or for as many whole days as RUN_READABLE_DAYS says', () => {
  expect(readConfig('local', {}).runReadableDays).toBe(1);
  expect(readConfig('local', { RUN_READABLE_DAYS: '365' }).runReadableDays).toBe(365);
  const wrong = { 0: 'at least 1', 366: 'at most 365', 1.5: 'a whole number', 'a week': 'a whole number' };
  for (const [RUN_READABLE_DAYS, problem] of Object.entries(wrong))
    expect(problemsOf({ RUN_READABLE_DAYS })).toEqual([`RUN_READABLE_DAYS must be ${problem}`]);
});

test('the threshold of proof is a number from 0 to 1, and 0.5 without one', () => {
  expect(readConfig('local', {})).toMatchObject({ runProof: false, runProofThreshold: 0.5 });
  expect(readConfig('local', { RUN_PROOF_THRESHOLD: '0.75' }).runProofThreshold).toBe(0.75);
  for (const RUN_PROOF_THRESHOLD of ['1.5', '-1', 'half'])
    expect(() => readConfig('local', { RUN_PROOF_THRESHOLD })).toThrow(
      'RUN_PROOF_THRESHOLD must be a number',
    );
});

test("spans are sent where OpenTelemetry's variables say, and nowhere without an address", () => {
  expect(readConfig('local', {}).traces).toBeUndefined();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example/otel/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic cGs6c2s=, x-tenant = a%2Cb%20c,',
  };
  expect(readConfig('local', env).traces).toEqual({
    endpoint: 'https://traces.example/otel',
    headers: { authorization: 'Basic cGs6c2s=', 'x-tenant': 'a,b c' },
    propagate: false,
    captureContent: false,
  });
  for (const headers of ['secret', 'two words=1', 'a=%', 'a=%0d%0ab: c', 'a=ä'])
    expect(problemsOf({ ...env, OTEL_EXPORTER_OTLP_HEADERS: headers })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas, with percent-encoded values',
    ]);
  expect(problemsOf({ OTEL_PROPAGATE: 'true', OTEL_CAPTURE_CONTENT: 'true' })).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT must be set when OTEL_PROPAGATE is true',
    'OTEL_EXPORTER_OTLP_ENDPOINT must be set when OTEL_CAPTURE_CONTENT is true',
  ]);
  expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://key@traces.example' })).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT must have no credentials',
  ]);
});
