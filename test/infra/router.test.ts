import { limits } from '@errand/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { edgeLimits, viewerRequest } from '../../infra/edge.ts';
import { functionShapes, toPascalCase } from '../../infra/functions.ts';
import { edgeCode, startEdge, type ViewerRequest } from '../support/sst/edge.ts';
import { expectedStatements, policyOf } from '../support/sst/policies.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack, unwrap } from '../support/sst/stack.ts';

const longest = 10 * 1024;
const routes = Object.entries(functionShapes).flatMap(([name, { paths }]) =>
  paths.map((path) => ({ name, path })),
);

describe.skipIf(!canEvaluate)('the router', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await evaluate('production', {
      changes: { domain: 'api.example.com', largeUploads: { domain: 'uploads.example.com' } },
    });
  }, evaluationMilliseconds);

  const ask = (request: Partial<ViewerRequest>) => startEdge(stack, request).result;

  const hostOf = (name: string) =>
    `${toPascalCase(name)}handlerurl.lambda-url.eu-central-1.on.aws`.toLowerCase();

  test.each(routes)(
    'sends $path to $name, with the secret and the timeout that streams need',
    async ({ name, path }) => {
      const { answer, origin } = await ask({ uri: path === '/' ? '/healthz' : `${path}/x` });
      expect(origin?.domainName).toBe(hostOf(name));
      expect(origin?.timeouts).toEqual({ readTimeout: 60 });
      // CloudFront's default: three attempts to connect.
      expect(origin?.connectionAttempts).toBeUndefined();
      expect(60_000).toBeGreaterThan(limits.keepAliveMilliseconds * 2);
      expect(60_000).toBeGreaterThan(limits.answerMilliseconds);
      expect(answer.headers['x-origin-secret']?.value).toMatch(/^OriginSecret-/);
    },
  );

  test.each(routes)('sends $path itself to $name', async ({ name, path }) => {
    expect((await ask({ uri: path })).origin?.domainName).toBe(hostOf(name));
  });

  test('sends a path that only begins like a known one to the site', async () => {
    expect((await ask({ uri: '/v1/agentsmith' })).origin?.domainName).toBe(hostOf('site'));
  });

  test.each(['/v1/completions', '/v1/v1/chat/completions', '/chat/completions', '/models/a%2Fb'])(
    'sends %s, which other services have, to the site',
    async (uri) => {
      expect((await ask({ uri })).origin?.domainName).toBe(hostOf('site'));
    },
  );

  test.each(['/v1/models/a/b', '/v1/models/a%2Fb'])('sends %s to chat as it is', async (uri) => {
    const { answer, origin } = await ask({ uri });
    expect([origin?.domainName, answer.uri]).toEqual([hostOf('chat'), uri]);
  });

  test.each([
    ['/v1/agents/runs/0b8f7d1e/stream', 'run-streams'],
    ['/v1/agents/runs/0b8f7d1e/events', 'agents'],
    ['/v1/agents/runs/0b8f7d1e/stream/x', 'agents'],
    ['/v1/agents/runs/stream', 'agents'],
  ])('sends %s as it is to %s', async (uri, name) => {
    const { answer, origin } = await ask({ uri });
    expect([origin?.domainName, answer.uri]).toEqual([hostOf(name), uri]);
  });

  test("replaces a caller's own secret header", async () => {
    const { answer } = await ask({ uri: '/v1/skills', headers: { 'x-origin-secret': { value: 'guessed' } } });
    expect(answer.headers['x-origin-secret']?.value).toMatch(/^OriginSecret-/);
  });

  test.each([
    ['application/json', edgeLimits.jsonBytes],
    ['multipart/form-data; boundary=x', edgeLimits.otherBytes],
  ])(
    'refuses %s of more than %i bytes with a 413 that names the way for large files',
    async (type, bytes) => {
      const send = (length: number) =>
        ask({
          method: 'POST',
          uri: '/v1/agents',
          headers: { 'content-type': { value: type }, 'content-length': { value: String(length) } },
        });
      expect((await send(bytes)).answer.statusCode).toBeUndefined();
      const { answer } = await send(bytes + 1);
      expect(answer.statusCode).toBe(413);
      expect(answer.body?.data).toContain('POST /v1/uploads');
      expect(answer.headers['x-request-id']).toEqual({ value: 'the-request' });
    },
  );

  const tooLarge = {
    error: {
      message: expect.stringContaining('POST /v1/uploads'),
      type: 'invalid_request_error',
      param: null,
      code: 'body_too_large',
    },
  };

  test.each([
    ['/v1/systemone', { error: 'Request body too large', code: 'body_too_large' }, 'Mine-1'],
    ['/v1/chat/completions', tooLarge, undefined],
    ['/v1/embeddings', tooLarge, undefined],
  ])("refuses a body of that size to %s in the function's words", async (uri, body, protocolId) => {
    const { answer } = await ask({
      method: 'POST',
      uri,
      headers: {
        'content-type': { value: 'application/json' },
        'content-length': { value: '9000000' },
        'x-request-id': { value: 'Mine-1' },
      },
    });
    expect(JSON.parse(answer.body?.data ?? '')).toEqual(body);
    expect(answer.headers).toMatchObject({
      'content-type': { value: 'application/json' },
      'access-control-allow-origin': { value: '*' },
      'access-control-expose-headers': { value: 'X-Request-Id' },
      'x-request-id': { value: 'Mine-1' },
    });
    expect(answer.headers['x-typesafe-request-id']?.value).toBe(protocolId);
  });

  test('sends forms of any size to the container where there is one', async () => {
    const headers = {
      'content-type': { value: 'multipart/form-data; boundary=x' },
      'content-length': { value: '250000000' },
    };
    const { origin, answer } = await ask({ method: 'POST', uri: '/v1/agents/runs', headers });
    expect(answer.statusCode).toBeUndefined();
    expect(origin?.domainName).toBe('uploads.example.com');
    expect(answer.headers['x-origin-secret']?.value).toMatch(/^OriginSecret-/);
    const json = { 'content-type': { value: 'application/json' }, 'content-length': { value: '10' } };
    expect((await ask({ method: 'POST', uri: '/v1/agents/runs', headers: json })).origin?.domainName).toBe(
      hostOf('agents'),
    );
  });

  test('fits into the 10 KB that CloudFront allows, with a domain and a container', () => {
    // Domains may be longer than the ones of this test.
    expect(Buffer.byteLength(edgeCode(stack)) + 100).toBeLessThanOrEqual(longest);
  });

  test('neither caches nor compresses answers', () => {
    const { defaultCacheBehavior, orderedCacheBehaviors, customErrorResponses } = stack.one(
      'aws:cloudfront/distribution:Distribution',
      'RouterCdnDistribution',
    ).inputs as {
      defaultCacheBehavior: Record<string, unknown>;
      orderedCacheBehaviors?: unknown[];
      customErrorResponses: { errorCode: number; errorCachingMinTtl: number }[];
    };
    expect(defaultCacheBehavior).toMatchObject({
      // CloudFront's own policies: CachingDisabled, AllViewerExceptHostHeader.
      cachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      originRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      compress: false,
      viewerProtocolPolicy: 'redirect-to-https',
    });
    expect(orderedCacheBehaviors ?? []).toEqual([]);
    // CloudFront caches these errors for 10 s unless told otherwise.
    for (const errorCode of [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504])
      expect(customErrorResponses).toContainEqual({ errorCode, errorCachingMinTtl: 0 });
  });

  test("makes no cache policy, and reads CloudFront's own that caches nothing", () => {
    const policies = stack.of('aws:cloudfront/cachePolicy:CachePolicy');
    expect(policies.map(({ readAs }) => readAs)).toEqual(['4135ea2d-6df8-44a3-9df3-4b5a84be39ad']);
  });

  test('writes its routes one after the other, each route after its target', () => {
    const writes = stack
      .of('pulumi-nodejs:dynamic:Resource')
      .filter(({ inputs }) => 'namespace' in inputs)
      .map(({ name, after = [] }) => ({ name, after }));
    expect(writes).toHaveLength(routes.length * 2);
    for (const [index, { after }] of writes.entries())
      if (index > 0) expect(after).toContain(writes[index - 1]?.name);
    const names = writes.map(({ name }) => name);
    for (const { path } of routes)
      expect(names.indexOf(`RouterRoute${path}RouteKey.sst.aws.KvKeys`)).toBe(
        names.indexOf(`RouterRoute${path}RoutesUpdate.sst.aws.KvRoutesUpdate`) - 1,
      );
  });

  test('gives each route a namespace of its own', () => {
    const namespaces = stack
      .of('pulumi-nodejs:dynamic:Resource')
      .filter(({ name }) => name.includes('RouteKey'))
      .map(({ inputs }) => inputs.namespace);
    expect(new Set(namespaces).size).toBe(routes.length);
  });

  test('puts the container behind TLS alone, with the permissions that the agents have', () => {
    const listeners = stack.of('aws:lb/listener:Listener');
    expect(listeners.map(({ inputs }) => [inputs.port, inputs.protocol])).toEqual([[443, 'HTTPS']]);
    expect(stack.of('aws:ecs/service:Service')).toHaveLength(1);
    const task = stack.one('aws:ecs/taskDefinition:TaskDefinition', /^LargeUploads/).inputs;
    const [container] = JSON.parse(unwrap<string>(task.containerDefinitions)) as {
      environment: { name: string; value: string }[];
    }[];
    const environment = Object.fromEntries(container!.environment.map(({ name, value }) => [name, value]));
    // Links to files go through the router, not to the container.
    expect(environment.PUBLIC_URL).toBe('https://api.example.com');
    expect(environment.ORIGIN_SECRET).toMatch(/^OriginSecret-/);
    expect(environment.METRICS_NAMESPACE).toBe('Errand/production');
    const taskRole = stack.one('aws:iam/role:Role', 'LargeUploadsTaskRole').inputs;
    // It converts documents itself, and writes no log of the functions.
    const own = expectedStatements('agents').filter(([name]) => !/^Converter|^log of/.test(name));
    const entering = 'ssmmessages';
    const { statements } = policyOf(taskRole);
    expect(statements.filter(([, actions]) => !actions[0]?.startsWith(entering))).toEqual(own);
    // No shell can be opened in the container, whatever its role would allow.
    expect(stack.one('aws:ecs/service:Service', 'LargeUploadsService').inputs.enableExecuteCommand).toBe(
      false,
    );
    const starter = stack.one('aws:iam/role:Role', 'LargeUploadsExecutionRole').inputs;
    expect(starter.inlinePolicies).toEqual([]);
    expect(starter.managedPolicyArns).toEqual([
      'arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy',
    ]);
  });

  test('has an alarm for the container beside those of the functions', () => {
    const { inputs } = stack.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'LargeUploadErrors');
    const [failed] = inputs.metricQueries as { metric: unknown }[];
    expect(failed?.metric).toMatchObject({ metricName: 'failed', dimensions: { area: 'large-uploads' } });
  });
});

test('the edge code has no routing of forms without a container', () => {
  const settings = { originSecret: 'x'.repeat(48) };
  expect(viewerRequest(settings).length).toBeLessThan(
    viewerRequest({ ...settings, uploadHost: 'uploads.example.com' }).length,
  );
  expect(viewerRequest(settings)).not.toContain('multipart');
});
