import { limits } from '@errand/platform';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { edgeCode as codeOf, edgeLimits } from '../../infra/edge.ts';
import { functionShapes, toPascalCase } from '../../infra/functions.ts';
import type { FunctionName } from '../../infra/permissions.ts';
import {
  edgeCode,
  routesOf,
  routesResource,
  startEdge,
  storeOf,
  type ViewerRequest,
} from '../support/sst/edge.ts';
import type { Resource } from '../support/sst/made-up-cloud.ts';
import { expectedStatements, policyOf } from '../support/sst/policies.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack, unwrap } from '../support/sst/stack.ts';

const longest = 10 * 1024;
const distribution = 'aws:cloudfront/distribution:Distribution';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0b8f7d1e';
const routes = Object.entries(functionShapes).flatMap(([name, { paths }]) =>
  paths.map((path) => ({ name, path })),
);

describe.skipIf(!canEvaluate)('the router', () => {
  let stack: Stack;
  let elsewhere: Stack;

  beforeAll(async () => {
    const largeUploads = { domain: 'uploads.example.com' };
    stack = await evaluate('production', { changes: { domain: 'api.example.com', largeUploads } });
    elsewhere = await evaluate('production', {
      changes: {
        domain: { name: 'api.example.com', certificate },
        largeUploads,
        answerSeconds: 115,
        originKeepAliveSeconds: 60,
      },
    });
  }, 2 * evaluationMilliseconds);

  const ask = (request: Partial<ViewerRequest>) => startEdge(stack, request).result;

  const hostOf = (name: string) =>
    `${toPascalCase(name)}liveurl.lambda-url.eu-central-1.on.aws`.toLowerCase();

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

  test('waits longer where the stage gives answers more time, and keeps connections open for as long as it says', async () => {
    const timeoutsOf = async (request: Partial<ViewerRequest>) =>
      (await startEdge(elsewhere, request).result).origin?.timeouts;
    const form = { 'content-type': { value: 'multipart/form-data; boundary=x' } };
    for (const request of [
      { uri: '/v1/chat/completions' },
      { method: 'POST', uri: '/v1/agents/runs', headers: form },
    ])
      expect(await timeoutsOf(request)).toEqual({ readTimeout: 120, keepAliveTimeout: 60 });
  });

  test.each(Object.keys(functionShapes) as FunctionName[])(
    'stands before %s, which is told the time of an answer, and has 10 s more if it answers requests',
    (name) => {
      const of = (made: Stack) =>
        made.one('aws:lambda/function:Function', `${toPascalCase(name)}HandlerFunction`).inputs;
      const told = (made: Stack) =>
        unwrap<{ variables: Record<string, string> }>(of(made).environment).variables.ANSWER_SECONDS;
      const { paths, timeoutSeconds } = functionShapes[name];
      const expected = paths.length > 0 ? Math.max(timeoutSeconds, 125) : timeoutSeconds;
      expect([of(elsewhere).timeout, told(elsewhere)]).toEqual([expected, '115']);
      expect([of(stack).timeout, told(stack)]).toEqual([timeoutSeconds, undefined]);
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

  test.each(['/v1/messages', '/v1/messages/count_tokens'])(
    "refuses a body of that size to %s in the protocol's envelope",
    async (uri) => {
      const { answer } = await ask({
        method: 'POST',
        uri,
        headers: {
          'content-type': { value: 'application/json' },
          'content-length': { value: '9000000' },
          'x-request-id': { value: 'Mine-1' },
        },
      });
      const { message, code } = tooLarge.error;
      expect(JSON.parse(answer.body?.data ?? '')).toEqual({
        type: 'error',
        error: { type: 'request_too_large', message, code },
        request_id: 'Mine-1',
      });
      expect(answer.headers['request-id']).toEqual({ value: 'Mine-1' });
    },
  );

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

  test('uses nothing that CloudFront’s JavaScript runtime 2.0 does not have', async () => {
    const code = edgeCode(stack);
    // Beyond ES 5.1 the runtime has these, and what else would be rewritten for it is not in the code.
    const supported = { arrow: true, 'async-await': true, 'const-and-let': true };
    const { code: rewritten } = await transform(code, { target: 'es5', supported });
    const { code: same } = await transform(code, {
      target: 'esnext',
      // Without this, esbuild would write `{ error: error }` in a newer way.
      supported: { 'object-extensions': false },
    });
    expect(rewritten).toBe(same);
    // "async arguments and closures are not supported", says CloudFront's documentation.
    expect(code.match(/\basync\b/g)).toHaveLength(1);
    expect(code.match(/\bawait\b.*/g)).toEqual(['await cf.kvs().get(key);']);
  });

  test('neither caches nor compresses answers, and takes no request in clear', () => {
    const { defaultCacheBehavior, orderedCacheBehaviors, customErrorResponses } = stack.one(
      distribution,
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
      viewerProtocolPolicy: 'https-only',
      allowedMethods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    });
    expect(orderedCacheBehaviors ?? []).toEqual([]);
    // CloudFront caches these errors for 10 s unless told otherwise.
    for (const errorCode of [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504])
      expect(customErrorResponses).toContainEqual({ errorCode, errorCachingMinTtl: 0 });
  });

  test('makes no cache policy, of which an account may have 20', () => {
    expect(stack.of('aws:cloudfront/cachePolicy:CachePolicy')).toEqual([]);
  });

  test('is reached over IPv6 as well, with a record for it', () => {
    expect(stack.one(distribution, 'RouterCdnDistribution').inputs.isIpv6Enabled).toBe(true);
    const records = stack
      .of('aws:route53/record:Record')
      .filter(({ inputs }) => inputs.name === 'api.example.com')
      .map(({ inputs }) => [inputs.type, (inputs.aliases as { name: string }[])[0]?.name]);
    const address = 'routercdndistribution.cloudfront.net';
    expect(records).toEqual([
      ['A', address],
      ['AAAA', address],
    ]);
  });

  test('makes neither certificate nor records for a domain elsewhere, and tells which record to set', () => {
    const { inputs } = elsewhere.one(distribution, 'RouterCdnDistribution');
    expect(inputs).toMatchObject({
      aliases: ['api.example.com'],
      viewerCertificate: { acmCertificateArn: certificate, sslSupportMethod: 'sni-only' },
    });
    const named = (type: string) =>
      elsewhere.of(type).filter((each) => JSON.stringify(each.inputs).includes('api.example.com'));
    expect(named('aws:route53/record:Record')).toEqual([]);
    expect(named('aws:acm/certificate:Certificate')).toEqual([]);
    expect(elsewhere.outputs).toMatchObject({
      url: 'https://api.example.com',
      dns: 'Set a CNAME of api.example.com to routercdndistribution.cloudfront.net',
    });
    expect(stack.outputs).not.toHaveProperty('dns');
  });

  test('has one key for each function that answers requests, and one for the container', () => {
    const stored = routesOf(stack);
    const answering = new Set(routes.map(({ name }) => name));
    expect([...stored.keys()].sort()).toEqual([...answering, 'large-uploads'].sort());
    // CloudFront's bound on a value.
    for (const value of stored.values()) expect(value.length).toBeLessThan(1_024);
    const [store] = stack.of('aws:cloudfront/keyValueStore:KeyValueStore');
    expect(stack.of('aws:cloudfront/keyValueStore:KeyValueStore')).toHaveLength(1);
    expect(routesResource(stack)).toMatchObject({
      inputs: { keyValueStoreArn: expect.stringContaining(String(store?.inputs.name)) },
    });
  });

  test('looks into its store once for a request', async () => {
    const keys: string[] = [];
    const store = storeOf(routesOf(stack));
    const get = (key: string) => {
      keys.push(key);
      return store.get(key);
    };
    await startEdge(stack, { uri: '/v1/models' }, () => ({ get })).result;
    expect(keys).toEqual(['chat']);
  });

  test('writes its routes at each deploy, though no input of them differs, so that an empty store heals', async () => {
    const [first, second] = [routesResource(stack), routesResource(elsewhere)];
    expect(second.inputs).toEqual(first.inputs);
    // A resource with another trigger is made anew, and its making reads the store and puts in what is missing.
    expect(first.trigger).toEqual(expect.any(String));
    expect(second.trigger).toEqual(expect.any(String));
    expect(second.trigger).not.toBe(first.trigger);
    const stored = new Map<string, string>();
    const askStore = () => startEdge(stack, { uri: '/v1/models' }, () => storeOf(stored)).result;
    expect((await askStore()).answer.statusCode).toBe(503);
    for (const [key, value] of routesOf(elsewhere)) stored.set(key, value);
    expect((await askStore()).origin?.domainName).toBe(hostOf('chat'));
  });

  test(
    'is told new paths only when its store has them, if it has a domain; if not, functions are told its address first',
    async () => {
      const edgeOf = ({ one }: Stack) =>
        one('aws:cloudfront/function:Function', 'RouterCloudfrontFunctionRequest');
      expect(edgeOf(stack).after).toContain('RouterRoutes');
      const withoutDomain = await evaluate('production');
      expect(edgeOf(withoutDomain).after ?? []).not.toContain('RouterRoutes');
      const { environment } = withoutDomain.one(
        'aws:lambda/function:Function',
        'AgentsHandlerFunction',
      ).inputs;
      expect(unwrap<{ variables: object }>(environment).variables).toMatchObject({
        PUBLIC_URL: 'https://routercdndistribution.cloudfront.net',
      });
    },
    evaluationMilliseconds,
  );

  test('sends a secret only when every function and the container accept it', async () => {
    const after = routesResource(stack).after ?? [];
    const urls = stack.of('aws:lambda/functionUrl:FunctionUrl').map(({ name }) => name);
    expect(after).toEqual(expect.arrayContaining([...urls, 'LargeUploadsService']));
    expect(stack.one('aws:ecs/service:Service', 'LargeUploadsService').inputs.waitForSteadyState).toBe(true);
    const access = stack
      .of('aws:lambda/permission:Permission')
      // What calls the function of schedules is no way of the router's.
      .filter(({ inputs }) => inputs.qualifier === 'live' && inputs.principal !== 'events.amazonaws.com');
    expect(after).toEqual(expect.arrayContaining(access.map(({ name }) => name)));
    const sent = (await ask({ uri: '/healthz' })).answer.headers['x-origin-secret']?.value;
    for (const { inputs } of stack.of('aws:lambda/function:Function')) {
      const { variables } = unwrap<{ variables: Record<string, string> }>(inputs.environment);
      // After the comma stands the one before, if the operator has set it.
      if (variables.ORIGIN_SECRET !== undefined) expect(variables.ORIGIN_SECRET).toBe(`${sent},`);
    }
  });

  test(
    'sends functions the earlier secret while there is one, which those from before the deploy know; the container, the new one',
    async () => {
      const largeUploads = { domain: 'uploads.example.com' };
      const earlier = 'earlier-'.padEnd(48, 'y');
      const rotating = await evaluate('production', {
        changes: { domain: 'api.example.com', largeUploads },
        secrets: { EarlierOriginSecret: earlier },
      });
      const sentTo = (key: string) => routesOf(rotating).get(key)?.split(' ')[1];
      expect(sentTo('chat')).toBe(earlier);
      expect(sentTo('large-uploads')).toMatch(/^OriginSecret-x+$/);
      const { environment } = rotating.one('aws:lambda/function:Function', 'ChatHandlerFunction').inputs;
      const { variables } = unwrap<{ variables: Record<string, string> }>(environment);
      expect(variables.ORIGIN_SECRET).toMatch(new RegExp(`^OriginSecret-x+,${earlier}$`));
    },
    evaluationMilliseconds,
  );

  test('sends to the newest version only who brings the secret, which no function sees', async () => {
    const secret = (await ask({})).answer.headers['x-origin-secret']?.value ?? '';
    const withSecret = (value: string) =>
      ask({ uri: '/v1/models', headers: { 'x-origin-secret': { value } } });
    const newest = await withSecret(secret);
    expect(newest.origin?.domainName).toBe('chathandlerurl.lambda-url.eu-central-1.on.aws');
    expect(newest.answer.headers['x-origin-secret']).toEqual({ value: secret });
    for (const wrong of ['', 'guessed', secret.slice(1), `${secret}x`, secret.toLowerCase()]) {
      const { origin, answer } = await withSecret(wrong);
      expect(origin?.domainName).toBe(hostOf('chat'));
      expect(answer.headers['x-origin-secret']).toEqual({ value: secret });
    }
  });

  test.each([
    ['RouterCdnDistribution', distribution, 'sst:aws:Router$sst:aws:CDN'],
    ['RouterCloudfrontFunctionRequest', 'aws:cloudfront/function:Function', 'sst:aws:Router'],
    [
      'RouterCdnSslCertificate',
      'aws:acm/certificate:Certificate',
      'sst:aws:Router$sst:aws:CDN$sst:aws:Certificate',
    ],
    ['RouterCdnARecordApiexamplecom', 'aws:route53/record:Record', 'sst:aws:Router$sst:aws:CDN'],
    ['RouterCdnAAAARecordApiexamplecom', 'aws:route53/record:Record', 'sst:aws:Router$sst:aws:CDN'],
  ])('keeps %s of a stage that has the router of earlier releases', (name, type, within) => {
    expect(typesAround(stack, stack.one(type, name))).toBe(within);
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

/** The types of the components around a resource, as they stand in its URN: Pulumi knows a resource by it. */
function typesAround(stack: Stack, { within }: Resource): string {
  const around = stack.resources.find(({ name }) => name === within);
  if (!around || around.type === 'pulumi:pulumi:Stack') return '';
  return [typesAround(stack, around), around.type].filter(Boolean).join('$');
}

test('the edge code has no routing of forms without a container', () => {
  const settings = { region: 'eu-central-1', hasDomain: false };
  expect(codeOf(settings).length).toBeLessThan(
    codeOf({ ...settings, uploadHost: 'uploads.example.com' }).length,
  );
  expect(codeOf(settings)).not.toContain('multipart');
});
