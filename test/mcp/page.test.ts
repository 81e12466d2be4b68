import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { mcpTools } from '@errand/mcp/testing';
import { expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const page = await readFile(path.resolve(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

let service: TestService;
useService(({ provider, service: started }) => {
  provider.script(() => ({ text: 'Paris' }));
  service = started;
});

test('the request of docs/mcp.md is answered', async () => {
  const command = /```sh\n(curl .*?)```/s.exec(page)?.[1]?.replace('http://127.0.0.1:8787', service.baseUrl);
  const env = { PATH: process.env.PATH, ERRAND_API_KEY: service.apiKey };
  const { stdout } = await promisify(execFile)('bash', ['-c', command ?? ''], { env });
  const [, answer = ''] = /^data: (.*)$/m.exec(stdout) ?? [];
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { structuredContent: { answer: 'Paris' } } });
});

test('docs/mcp.md names every tool with what a key must be allowed', () => {
  const rows = page.match(/^\| `.*$/gm)?.join('\n') ?? '';
  for (const { name, family } of mcpTools) expect(rows).toMatch(new RegExp(`\`${name}\`.*\`${family}\``));
});
