import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { startEverythingServer } from './support/everything-server.ts';

let everything: Awaited<ReturnType<typeof startEverythingServer>>;
let provider: Provider;
let service: TestService;

beforeAll(async () => {
  everything = await startEverythingServer();
});
useService(
  (started) => ({ provider, service } = started),
  (provider) => ({
    catalogue: {
      ...simpleCatalogue(provider.baseUrl),
      mcpServers: [
        { name: 'shared', url: everything.url, allowedTools: ['echo'], accounts: 'all' },
        { name: 'reserved', url: everything.url, accounts: ['somebody-else'] },
      ],
    },
    env: { FETCH_ALLOWED_HOSTS: everything.host },
  }),
);

afterAll(async () => {
  await everything.stop();
});

const results = (events: { type: string }[]) => events.filter(({ type }) => type === 'tool_result');

describe('a server that nobody here wrote', () => {
  test('has its tools called by a run, and events show them as any tool', async () => {
    provider.script(
      inTurn(
        {
          calls: [
            { name: 'all__echo', args: { message: 'hello' } },
            { name: 'all__get-sum', args: { a: 2, b: 40 } },
            { name: 'all__get-tiny-image', args: {} },
          ],
        },
        { text: '42' },
      ),
    );
    const agentId = await service.start({
      question: 'What is 2 + 40?',
      mcp: [{ label: 'all', url: everything.url }],
    });
    const events = await service.follow(agentId);
    expect(results(events)).toMatchObject([
      { toolName: 'all__echo', result: expect.stringContaining('hello') },
      { toolName: 'all__get-sum', result: expect.stringContaining('42') },
      {
        toolName: 'all__get-tiny-image',
        result: expect.stringMatching(/\[image, image\/png, \d+ bytes: not shown\]/),
      },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: '42' });
    const [first, second] = provider.requests;
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(
      expect.arrayContaining(['web_search', 'all__echo', 'all__get-sum']),
    );
    expect(second?.messages.at(-1)?.content).toContain('<outside_material');
    expect(second?.tools).toEqual(first?.tools);
  });
});
