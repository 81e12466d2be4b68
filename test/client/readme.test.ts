import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { type InstalledClient, installClient } from './support/installed-client.ts';

const page = path.resolve(import.meta.dirname, '../../packages/client/README.md');

let service: TestService;
let installed: InstalledClient;

useServiceAlone(
  (started) => ({ service } = started),
  // Nothing is searched for outside of this machine.
  () => ({ env: { SEARCH_PROVIDER: 'searxng', SEARCH_BASE_URL: 'http://127.0.0.1:1' } }),
);
beforeAll(async () => {
  installed = await installClient();
  return () => installed.remove();
});

test('the examples of the client’s page compile, and run one after the other as they stand', async () => {
  const markdown = await readFile(page, 'utf8');
  const examples = [...markdown.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  expect(examples).toHaveLength(9);
  const program = examples
    .join('\n')
    .replace('http://127.0.0.1:8787', service.baseUrl)
    .replace('sk-...', service.apiKey);
  expect(program).toContain(service.apiKey);
  const last = 'console.log(status, data.object, skill.name);\n';
  const file = await installed.write('examples.ts', `${program}\n${last}`);
  expect(await installed.compile('examples.ts')).toBe('');
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toContain('NotFoundError');
  expect(stdout).toMatch(/succeeded list pirate\n$/);
});
