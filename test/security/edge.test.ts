import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type RouteStore, routesOf, startEdge, storeOf, type ViewerRequest } from '../support/sst/edge.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';

type Breaks = (stored: Map<string, string>) => RouteStore;

const paths = Object.values(functionShapes)
  .flatMap((shape) => shape.paths)
  .map((path) => (path === '/' ? '/healthz' : path));

const isRoutes = (key: string) => key.endsWith(':routes');

/** The store, except that keys of one kind give what `spoil` makes of their value. */
const spoiled =
  (of: (key: string) => boolean, spoil: (value: string) => string | Promise<string>): Breaks =>
  (stored) => ({ get: async (key) => (of(key) ? spoil(stored.get(key) ?? '') : storeOf(stored).get(key)) });

const reject = () => Promise.reject(new Error('the store is not reachable'));
const isMetadata = (key: string) => !isRoutes(key);

const failures: Record<string, Breaks> = {
  'no key is found': () => storeOf(new Map()),
  'every read fails': spoiled(() => true, reject),
  'a read throws instead of rejecting': () => ({
    get() {
      throw new Error('no store');
    },
  }),
  'reads give nothing': spoiled(
    () => true,
    () => undefined as unknown as string,
  ),
  'only the routes cannot be read': spoiled(isRoutes, reject),
  'the routes are empty': spoiled(isRoutes, () => '[]'),
  'the routes are cut off': spoiled(isRoutes, (value) => value.slice(0, -9)),
  'the routes are an object': spoiled(isRoutes, () => '{}'),
  'the routes are null': spoiled(isRoutes, () => 'null'),
  'the routes are a text': spoiled(isRoutes, () => '"url,site"'),
  'the routes are numbers': spoiled(isRoutes, () => '[1,2]'),
  'the routes are a page of HTML': spoiled(isRoutes, () => '<html>'),
  'the parts of the routes are missing': spoiled(isRoutes, () => '{"parts":2}'),
  'the routes are of a kind that the router does not know': spoiled(isRoutes, (value) =>
    value.replaceAll('url,', 'other,'),
  ),
  'the routes lead to a site': spoiled(isRoutes, (value) => value.replaceAll('url,', 'site,')),
  'only what a route leads to cannot be read': spoiled(isMetadata, reject),
  'what a route leads to is empty': spoiled(isMetadata, () => ''),
  'what a route leads to is null': spoiled(isMetadata, () => 'null'),
  'what a route leads to is cut off': spoiled(isMetadata, (value) => value.slice(0, -1)),
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
  }, evaluationMilliseconds);

  test.each(Object.entries(failures))('sends no request anywhere if %s', async (_, breaks) => {
    const store = breaks(routesOf(stack));
    for (const uri of [...paths, '/', '/v1/unknown']) {
      const { answer, origin } = await startEdge(stack, post(uri), () => store).result;
      expect(origin, uri).toBeUndefined();
      expect(answer.statusCode, uri).toBe(503);
      expect(answer.headers, uri).toMatchObject({
        'content-type': { value: 'application/json' },
        'retry-after': { value: '5' },
        'x-content-type-options': { value: 'nosniff' },
        'strict-transport-security': { value: 'max-age=31536000' },
      });
      expect(JSON.stringify(answer)).not.toMatch(/OriginSecret|sk-of-a-caller|guessed/);
      expect(JSON.parse(answer.body?.data ?? '')).toEqual(
        uri === '/v1/systemone'
          ? { error: 'Service temporarily degraded. Please retry.', code: 'service_degraded' }
          : { error: 'Service temporarily at capacity. Please retry.' },
      );
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
          // Without a name the request goes to the default origin, whose name leads nowhere.
          expect([...ours, undefined]).toContain(origin?.domainName);
          expect(origin).toBeDefined();
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
    const headers = { ...secretHeaders, host: { value: 'd123.cloudfront.net' } };
    const { answer, origin } = await startEdge(stack, { uri: '/v1/skills', headers }).result;
    expect(origin).toBeUndefined();
    expect(answer).toMatchObject({
      statusCode: 403,
      headers: {
        'content-type': { value: 'application/json' },
        'x-content-type-options': { value: 'nosniff' },
      },
      body: { data: '{"error":"Forbidden"}' },
    });
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
