import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

/** The protocol's inspector, which is 110 MB: its tests skip themselves where nobody has installed it. */
const inspector = process.env.MCP_INSPECTOR;
const missing = inspector ? '' : ' (skipped: MCP_INSPECTOR names no program)';

const run = promisify(execFile);

describe.skipIf(!inspector).each(['modern', 'legacy'])(
  `the inspector’s command line, %s${missing}`,
  (era) => {
    let service: TestService;
    useService(({ provider, service: started }) => {
      provider.script(() => ({ text: 'Paris' }));
      service = started;
    });

    const inspect = async (...args: string[]) => {
      const where = ['--cli', `${service.baseUrl}/mcp`, '--transport', 'http', '--protocol-era', era];
      const key = ['--header', `Authorization: Bearer ${service.apiKey}`];
      const { stdout, stderr } = await run(process.execPath, [inspector!, ...where, ...key, ...args]);
      const answer: Record<string, unknown> = { ...JSON.parse(stdout), stderr };
      return answer;
    };

    test('lists tools whose schemas every client can read', async () => {
      const { tools, stderr } = await inspect('--method', 'tools/list', '--strict');
      expect(tools).toContainEqual(expect.objectContaining({ name: 'ask' }));
      expect(stderr).toBe('');
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
  },
);
