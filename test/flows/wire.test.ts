import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';

let service: TestService;

useServiceAlone((started) => ({ service } = started));

describe('every response', () => {
  test("carries a request id: the caller's own if it is visible ASCII, else a fresh one", async () => {
    const idFor = async (given: string) =>
      (await service.request('/v1/agents', { headers: { 'X-Request-Id': given } })).headers.get(
        'X-Request-Id',
      );
    expect(await idFor('order-66/~!')).toBe('order-66/~!');
    expect(await idFor('x'.repeat(128))).toBe('x'.repeat(128));
    for (const bad of ['x'.repeat(129), 'two words', 'caf\u00e9'])
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
    const missing = await fetch(`${service.baseUrl}/nothing/here`);
    expect(missing.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('may be read by a page of any origin, without credentials', async () => {
    const response = await service.request('/v1/agents', { headers: { Origin: 'https://app.example' } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    const exposed = response.headers.get('Access-Control-Expose-Headers')?.toLowerCase().split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-credits-remaining',
        'x-skill',
        'x-skill-injected-tokens',
        'x-skill-content-hash',
        'x-skill-version',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'retry-after',
        'x-request-id',
      ]),
    );
  });

  test('to a preflight allows authorization and the headers that were asked for', async () => {
    const response = await fetch(`${service.baseUrl}/v1/agents/runs`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, last-event-id',
      },
    });
    expect(response.status).toBe(204);
    const allowed = response.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'last-event-id']));
    expect(response.headers.get('Access-Control-Allow-Methods')).toContain('DELETE');
  });
});

describe('routing', () => {
  test('answers 404 JSON for an unknown path, with or without a key', async () => {
    for (const response of [await fetch(`${service.baseUrl}/v2`), await service.request('/v1/agents/')]) {
      expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
    }
  });

  test('answers 405 with Allow for another method of a known path', async () => {
    const rows: [string, string, string[]][] = [
      ['PUT', '/v1/agents/runs', ['GET', 'HEAD', 'POST']],
      ['PUT', '/v1/agents', ['GET', 'HEAD', 'POST']],
      ['POST', '/v1/agents/servers', ['GET', 'HEAD']],
      ['PATCH', '/v1/agents/runs/x', ['DELETE', 'GET', 'HEAD']],
      ['POST', '/v1/agents/runs/x/stream', ['GET', 'HEAD']],
      ['DELETE', '/healthz', ['GET', 'HEAD']],
    ];
    for (const [method, path, allow] of rows) {
      const response = await service.request(path, { method });
      expect([path, response.status]).toEqual([path, 405]);
      expect(response.headers.get('Allow')?.split(', ').toSorted()).toEqual(allow);
      expect(response.headers.get('RateLimit-Remaining')).not.toBeNull();
    }
  });
});

describe('GET /v1/agents', () => {
  const listing = (init: RequestInit & { key?: string }) => service.request('/v1/agents', init);

  test('is markdown without a key, and for clients that prefer markdown', async () => {
    const plain = await fetch(`${service.baseUrl}/v1/agents`);
    expect([plain.status, plain.headers.get('Content-Type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    const markdown = await plain.text();
    for (const word of ['default', 'web_search', 'save_file', 'question', 'documentUrl', 'audioUrl'])
      expect(markdown).toContain(word);
    const noKey = await fetch(`${service.baseUrl}/v1/agents`, { headers: { Accept: 'application/json' } });
    expect(await noKey.text()).toBe(markdown);
    const asked = await listing({ headers: { Accept: 'text/markdown, application/json;q=0.5' } });
    expect(await asked.text()).toBe(markdown);
    expect(asked.headers.get('RateLimit-Limit')).not.toBeNull();
    const wrongKey = await listing({ key: 'wrong', headers: { Accept: 'text/markdown' } });
    expect(wrongKey.status).toBe(200);
  });

  test('is JSON with a key in X-Api-Key, too', async () => {
    const headers = { 'X-Api-Key': service.apiKey };
    const response = await fetch(`${service.baseUrl}/v1/agents`, { headers });
    expect([response.status, await response.json()]).toEqual([200, await (await listing({})).json()]);
  });

  test('is JSON with a key, naming the seven tools and the input', async () => {
    const accepted = ['*/*', 'application/json', 'text/markdown;q=0.5, application/json'];
    for (const Accept of [...accepted, 'text/markdown;q=0.1, */*']) {
      const response = await listing({ headers: { Accept } });
      const { agents } = (await response.json()) as {
        agents: { id: string; tools: string[]; input: object }[];
      };
      expect(agents).toHaveLength(1);
      expect(agents[0]?.tools).toEqual([
        'web_search',
        'web_crawl',
        'document_parse',
        'vision',
        'audio_transcribe',
        'save_data',
        'save_file',
      ]);
      const field = { type: 'string', description: expect.any(String) };
      expect(agents[0]?.input).toEqual({
        type: 'object',
        properties: { question: field, documentUrl: field, audioUrl: field },
        required: ['question'],
      });
    }
  });

  test('is 401 for a wrong key and no markdown asked for', async () => {
    expect((await listing({ key: 'wrong' })).status).toBe(401);
  });
});

describe('GET /openapi.json, /healthz and /livez', () => {
  test('need no key', async () => {
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { openapi: string };
    expect(document.openapi).toMatch(/^3\.1\./);
    const health = await fetch(`${service.baseUrl}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, '{"status":"ok"}']);
    const life = await fetch(`${service.baseUrl}/livez`);
    expect([life.status, await life.text()]).toEqual([200, '{"status":"ok"}']);
  });
});
