import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type RouteStore, routesOf, startEdge, storeOf, type ViewerRequest } from '../support/sst/edge.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';

type Breaks = (stored: Map<string, string>) => RouteStore;

const paths = Object.values(functionShapes)
  .flatMap((shape) => shape.paths)
  .map((path) => (path === '/' ? '/healthz' : path));

/** The store, except that keys give what `spoil` makes of their value. */
const spoiled =
  (spoil: (value: string) => string | Promise<string>): Breaks =>
  (stored) => ({ get: async (key) => spoil(stored.get(key) ?? '') });

const failures: Record<string, Breaks> = {
  'no key is found': () => storeOf(new Map()),
  'every read fails': spoiled(() => Promise.reject(new Error('the store is not reachable'))),
  'a read throws instead of rejecting': () => ({
    get() {
      throw new Error('no store');
    },
  }),
  'reads give nothing': spoiled(() => undefined as unknown as string),
  'reads give no text': spoiled((value) => ({ value }) as unknown as string),
  'values are empty': spoiled(() => ''),
  'values are null': spoiled(() => 'null'),
  'values are cut off': spoiled((value) => value.slice(0, -1)),
  'values have lost their beginning': spoiled((value) => value.slice(value.indexOf('.'))),
  'values have lost their secret': spoiled((value) => value.split(' ')[0] ?? ''),
  'values have another line': spoiled((value) => `${value}\n`),
  'values are longer than they were written': spoiled((value) => `${value}x`),
  'values are of an earlier release': spoiled((value) => JSON.stringify({ host: value.split(' ')[0] })),
  'values are a page of HTML': spoiled(() => '<html>'),
  'values lead to another host': spoiled((value) => value.replace(/^\S+/, 'evil.example')),
  'values lead the newest version to another host': spoiled((value) => value.replace(/\S+$/, 'evil.example')),
  'values lead to another region': spoiled((value) => value.replace(/^\S+/, 'x.lambda-url.us-east-1.on.aws')),
  'values lead to a host that begins like ours': spoiled((value) => value.replace(' ', '.evil.example ')),
  'values lead to a host behind another name': spoiled((value) => `evil.example/${value}`),
  'values lead to a host without its dots': spoiled((value) => value.replace('.', 'x')),
  'values lead to a site': spoiled((value) => `https://${value}`),
};

/** What a caller sends that no stranger may see, and headers that pretend to come from the router. */
const secretHeaders = {
  authorization: { value: 'Bearer sk-of-a-caller' },
  'content-type': { value: 'application/json' },
  'content-length': { value: '1000' },
  'x-forwarded-host': { value: 'api.example.com' },
  'x-origin-secret': { value: 'guessed' },
};

const post = (uri: string): Partial<ViewerRequest> => ({ method: 'POST', uri, headers: secretHeaders });

/** A form for the container. */
const form: Partial<ViewerRequest> = {
  method: 'POST',
  uri: '/v1/agents/runs',
  headers: { ...secretHeaders, 'content-type': { value: 'multipart/form-data; boundary=x' } },
};

const atCapacity = 'Service temporarily at capacity. Please retry.';

/** Of the paths whose clients read refusals in another form. */
const refusals: Record<string, object> = {
  '/v1/systemone': { error: 'Service temporarily degraded. Please retry.', code: 'service_degraded' },
  '/v1/messages': {
    type: 'error',
    error: { type: 'overloaded_error', message: atCapacity },
    request_id: 'the-request',
  },
};

describe.skipIf(!canEvaluate)('the edge', () => {
  let stack: Stack;
  let ours: string[];

  beforeAll(async () => {
    stack = await evaluate('production', {
      changes: { domain: 'api.example.com', largeUploads: { domain: 'uploads.example.com' } },
    });
    ours = stack
      .of('aws:lambda/functionUrl:FunctionUrl')
      .map(({ name }) => `${name.toLowerCase()}.lambda-url.eu-central-1.on.aws`);
    ours.push('uploads.example.com');
  }, evaluationMilliseconds);

  test.each(Object.entries(failures))('sends no request anywhere if %s', async (_, breaks) => {
    const store = breaks(routesOf(stack));
    for (const request of [...[...paths, '/', '/v1/unknown'].map(post), form]) {
      const { uri } = request;
      const { answer, origin } = await startEdge(stack, request, () => store).result;
      expect(origin, uri).toBeUndefined();
      expect(answer.statusCode, uri).toBe(503);
      expect(answer.headers, uri).toMatchObject({
        'content-type': { value: 'application/json' },
        'retry-after': { value: '5' },
        'x-content-type-options': { value: 'nosniff' },
        'strict-transport-security': { value: 'max-age=31536000' },
      });
      expect(JSON.stringify(answer)).not.toMatch(/OriginSecret|sk-of-a-caller|guessed/);
      expect(JSON.parse(answer.body?.data ?? '')).toEqual(refusals[uri ?? ''] ?? { error: atCapacity });
    }
  });

  test('sends no request anywhere if there is no store at all', async () => {
    const { result } = startEdge(stack, post('/v1/skills'), () => {
      throw new Error('no store');
    });
    expect((await result).answer.statusCode).toBe(503);
  });

  test('adds no secret and sets no origin while the store does not answer', async () => {
    const started = startEdge(stack, post('/v1/skills'), () => ({ get: () => new Promise(() => {}) }));
    await new Promise(setImmediate);
    expect(started.chosen.origin).toBeUndefined();
    expect(JSON.stringify(started.request)).not.toContain('OriginSecret');
  });

  test('sends a request to a function of ours with the secret, or nowhere, however reads go wrong', async () => {
    const stored = routesOf(stack);
    const values = [
      ...stored.values(),
      '',
      'null',
      '{}',
      '[]',
      '7',
      '"text"',
      '{"parts":1}',
      '[[]]',
      '["url"]',
    ];
    const read = fc.oneof(
      { weight: 2, arbitrary: fc.constant('as it is') },
      fc.constant('fails'),
      fc.constantFrom(...values).map((value) => ({ value })),
      fc.json().map((value) => ({ value })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.array(read, { maxLength: 4 }), async (uri, reads) => {
        const plan = reads.values();
        const store: RouteStore = {
          async get(key) {
            const next = plan.next().value ?? 'as it is';
            if (next === 'fails') throw new Error('failed');
            return typeof next === 'object' ? next.value : storeOf(stored).get(key);
          },
        };
        const { answer, origin } = await startEdge(stack, post(uri), () => store).result;
        if (answer.statusCode === 503) expect(origin).toBeUndefined();
        else {
          expect(answer.statusCode).toBeUndefined();
          expect(ours).toContain(origin?.domainName);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('has a default origin whose name nobody can own, over TLS alone', () => {
    const { origins } = stack.one('aws:cloudfront/distribution:Distribution', 'RouterCdnDistribution')
      .inputs as { origins: { domainName: string; customOriginConfig: object }[] };
    expect(origins).toHaveLength(1);
    expect(origins[0]?.domainName).toMatch(/\.invalid$/);
    expect(origins[0]?.customOriginConfig).toMatchObject({
      originProtocolPolicy: 'https-only',
      originSslProtocols: ['TLSv1.2'],
    });
  });

  test('names no host in its resources that is not ours, AWS’s, or unresolvable', () => {
    expect(JSON.stringify(stack.resources)).not.toContain('placeholder.sst.dev');
  });

  test('answers in JSON, with the headers of the service, at an address that is not the stage’s domain', async () => {
    const host = { value: 'd123.cloudfront.net' };
    for (const request of [post('/v1/skills'), form]) {
      const { answer, origin } = await startEdge(stack, { ...request, headers: { ...request.headers, host } })
        .result;
      expect(origin).toBeUndefined();
      expect(answer).toMatchObject({
        statusCode: 403,
        headers: {
          'content-type': { value: 'application/json' },
          'x-content-type-options': { value: 'nosniff' },
        },
        body: { data: '{"error":"Forbidden"}' },
      });
    }
  });

  test('has CloudFront’s own errors carry security headers too', () => {
    const { defaultCacheBehavior } = stack.one(
      'aws:cloudfront/distribution:Distribution',
      'RouterCdnDistribution',
    ).inputs as { defaultCacheBehavior: { responseHeadersPolicyId: string } };
    // CloudFront's own policy: SecurityHeadersPolicy.
    expect(defaultCacheBehavior.responseHeadersPolicyId).toBe('67f7725c-6f97-4210-82d7-5512b31e9d03');
  });
});
