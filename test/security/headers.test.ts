import {
  createApp,
  createFiles,
  localCredentials,
  localRegion,
  localTableNames,
  silentLog,
} from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuseOthers } from '../../functions/lambda/refuse-others.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';
import { endpointsOf } from '../uploads/support.ts';

const hsts = 'Strict-Transport-Security';
const policy = 'Content-Security-Policy';

let provider: Provider;
let local: TestService;
let deployed: TestService;

beforeAll(async () => {
  provider = await startProvider(() => ({ text: 'Answered.' }));
  const catalogue = simpleCatalogue(provider.baseUrl);
  [local, deployed] = await Promise.all([
    startTestService({ catalogue }),
    startTestService({ catalogue, env: { PUBLIC_URL: 'https://api.example.com' } }),
  ]);
});

afterAll(async () => {
  await Promise.all([local.stop(), deployed.stop()]);
  await provider.close();
});

/** Every route with every method, with a key and without, and what no route takes. */
async function answersOf(service: TestService): Promise<Response[]> {
  const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const paths = [...Object.keys(document.paths), '/', '/v1/unknown'].map((path) =>
    path.replaceAll(/\{\w+\}/g, 'none'),
  );
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const keys = [service.apiKey, 'unknown'];
  const bodies: RequestInit[] = [{}, { body: '{', headers: { 'Content-Type': 'application/json' } }];
  const answers: Response[] = [];
  for (const path of paths)
    for (const method of methods)
      for (const key of keys)
        for (const init of method === 'GET' || method === 'HEAD' ? [{}] : bodies) {
          const response = await service.request(path, { ...init, method, key });
          await response.body?.cancel();
          answers.push(response);
        }
  const streamed = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Hi.' }] };
  answers.push(await service.post('/v1/chat/completions', streamed));
  answers.push(await service.post('/v1/chat/completions', { ...streamed, stream: false }));
  const agentId = await service.start({ question: 'What is it?' });
  answers.push(await service.request(`/v1/agents/runs/${agentId}/stream`));
  return answers;
}

test('every answer forbids browsers to guess its type, and has no Strict-Transport-Security over plain HTTP', async () => {
  const answers = await answersOf(local);
  expect(answers.length).toBeGreaterThan(300);
  for (const { url, headers } of answers) {
    expect(headers.get('X-Content-Type-Options'), url).toBe('nosniff');
    expect(headers.has(hsts), url).toBe(false);
  }
  const statuses = new Set(answers.map(({ status }) => status));
  for (const status of [200, 204, 400, 401, 404, 405]) expect(statuses, String(status)).toContain(status);
});

test('every answer behind HTTPS has Strict-Transport-Security of a year', async () => {
  for (const { url, headers } of await answersOf(deployed)) {
    expect(headers.get(hsts), url).toBe('max-age=31536000');
    expect(headers.get('X-Content-Type-Options'), url).toBe('nosniff');
  }
});

test('objects of the embedded bucket are sent with nosniff, refusals too', async () => {
  const endpoints = await endpointsOf(local);
  const files = createFiles({
    region: localRegion,
    credentials: localCredentials,
    endpoints,
    tables: localTableNames,
    queueUrl: '',
    webhookQueueUrl: '',
    bucket: 'errand-files',
  });
  await files.put('saved/run/page.txt', Buffer.from('<script>'), 'text/plain');
  const link = await files.presignGet('saved/run/page.txt', {
    expiresInSeconds: 60,
    attachmentName: 'page.txt',
    contentType: 'text/plain',
  });
  for (const url of [link, `${link}0`, `${endpoints.s3}/errand-files/saved/run/page.txt`]) {
    const response = await fetch(url);
    await response.text();
    expect(response.headers.get('X-Content-Type-Options'), url).toBe('nosniff');
  }
});

test('a function that is called past the router refuses with the same headers', () => {
  const refused = refuseOthers(['the secret'])(new Request('https://function.example/v1/skills'));
  expect(refused?.status).toBe(403);
  expect(refused?.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(refused?.headers.get(hsts)).toBe('max-age=31536000');
});

describe('whatever a browser shows as a page', () => {
  const app = createApp({ log: silentLog });
  const own = "default-src 'none'";
  app.get('/page', (c) => c.html('<p>'));
  app.get('/raw', () => new Response('<svg/>', { headers: { 'Content-Type': 'image/svg+xml' } }));
  app.get('/own', (c) => c.html('<p>', 200, { [policy]: own }));
  app.get('/text', (c) => c.text('<p>'));
  const policyOf = async (path: string) => (await app.request(path)).headers.get(policy);

  test('may load what the service serves, and run no script that stands in it', async () => {
    for (const path of ['/page', '/raw'])
      expect(await policyOf(path)).toBe(
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
  });

  test('may have a policy of its own', async () => {
    expect(await policyOf('/own')).toBe(own);
    expect(await policyOf('/text')).toBeNull();
  });
});
