import { beforeAll, expect, test } from 'vitest';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';

const url = 'https://tools.example.com/mcp';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    catalogue: {
      ...simpleCatalogue('http://127.0.0.1:1/v1'),
      mcpServers: [
        { name: 'stock', url, allowedTools: ['pieces'], accounts: 'all' },
        { name: 'books', url, accounts: ['another-account'] },
      ],
    },
  });
  return service.stop;
});

const list = (key: string) =>
  fetch(`${service.baseUrl}/v1/agents/servers`, { headers: { Authorization: `Bearer ${key}` } });

test('GET /v1/agents/servers lists the servers of tools that the account may use, without their addresses', async () => {
  const answer = await list(service.apiKey);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ servers: [{ name: 'stock', allowedTools: ['pieces'] }] });
});

test('GET /v1/agents/servers needs a key', async () => {
  expect((await list('no-such-key')).status).toBe(401);
});
