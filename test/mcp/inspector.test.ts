import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Provider, startProvider } from '../support/provider.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';

/** The protocol's inspector, which is 110 MB: its tests skip themselves where nobody has installed it. */
const inspector = process.env.MCP_INSPECTOR;
const missing = inspector ? '' : ' (skipped: MCP_INSPECTOR names no program)';

const run = promisify(execFile);

describe.skipIf(!inspector)(`the inspector’s command line${missing}`, () => {
  let provider: Provider;
  let service: TestService;
  beforeAll(async () => {
    provider = await startProvider(() => ({ text: 'Paris' }));
    service = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl) });
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  const inspect = async (...args: string[]) => {
    const where = ['--cli', `${service.baseUrl}/mcp`, '--transport', 'http'];
    const key = ['--header', `Authorization: Bearer ${service.apiKey}`];
    const { stdout } = await run(process.execPath, [inspector!, ...where, ...key, ...args]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test('lists tools whose schemas every client can read', async () => {
    const { tools } = (await inspect('--method', 'tools/list', '--strict')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('ask');
  });

  test('asks, and gets the answer', async () => {
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'ask',
      '--tool-arg',
      'question=Capital of France?',
    ];
    expect(await inspect(...call)).toMatchObject({
      content: [{ type: 'text', text: 'Paris' }],
      structuredContent: { status: 'succeeded', answer: 'Paris' },
    });
  });

  test('lists no resources where there are no skills', async () => {
    expect(await inspect('--method', 'resources/list')).toMatchObject({ resources: [] });
  });
});
