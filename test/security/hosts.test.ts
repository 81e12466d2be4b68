import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const paths = [
  '/mcp',
  '/v1/credits',
  '/v1/models',
  '/console',
  '/openapi.json',
  '/healthz',
  '/livez',
  '/none',
];
const methods = ['GET', 'POST', 'OPTIONS'];

/** Asks with a `Host` of the caller's choice, as a browser does for a page whose name leads here. */
async function ask(
  { baseUrl, apiKey }: TestService,
  host: string,
  route: string,
  method = 'GET',
): Promise<{ status: number | undefined; body: string }> {
  const headers = { Host: host, Authorization: `Bearer ${apiKey}`, Origin: `http://${host}` };
  const sent = request(`${baseUrl}${route}`, { method, headers });
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject).end(),
  );
  return { status: answer.statusCode, body: await text(answer) };
}

describe('a service on the loopback interface without a public address', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    return () => service.stop();
  });
  const port = () => new URL(service.baseUrl).port;

  test.each(paths.flatMap((route) => methods.map((method) => [method, route])))(
    'refuses %s %s under a name that is not its own, and says what to set',
    async (method, route) => {
      for (const name of ['rebound.example', '192.168.0.10', '127.0.0.1.rebound.example']) {
        const { status, body } = await ask(service, `${name}:${port()}`, route, method);
        expect([status, body]).toEqual([421, expect.stringContaining('set PUBLIC_URL')]);
      }
    },
  );

  test('answers under each of its own names, probes by its address included', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', `localhost:${port()}`, '127.0.0.1:1'])
      for (const route of ['/healthz', '/livez', '/v1/credits'])
        expect((await ask(service, name, route)).status, `${name} ${route}`).toBe(200);
  });
});

describe.each([
  ['with a public address', { PUBLIC_URL: 'https://errand.example' }],
  ['that listens on every interface', { HOST: '0.0.0.0' }],
])('a service %s', (_, env) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env });
  });
  afterAll(() => service.stop());

  test('answers under every name', async () => {
    for (const name of ['errand.example', 'errand', '192.168.0.10:8787', '127.0.0.1'])
      for (const route of ['/healthz', '/v1/credits'])
        expect((await ask(service, name, route)).status, `${name} ${route}`).toBe(200);
  });
});
