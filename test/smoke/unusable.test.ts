import { readFileSync } from 'node:fs';
import { localTableNames, systemClock } from '@errand/platform';
import { checks, createScene, makeAccount, smoke, takeAway } from '@errand/smoke';
import { beforeAll, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { type Breakable, startBreakable } from './support/breakable.ts';
import { command, readTable } from './support/command.ts';

const broken = { status: 502, headers: {}, body: Buffer.from('<html>\n|a page|\n</html>') };

let breakable: Breakable;
let service: TestService;
useServiceAlone((started) => ({ service } = started));
beforeAll(async () => {
  breakable = await startBreakable();
  breakable.forwardTo(service.baseUrl);
  return () => breakable.close();
});

const newScene = (key = service.apiKey) => createScene({ baseUrl: breakable.baseUrl, key });

test.each([
  ['all checks', []],
  ['those of runs', ['--only', 'run']],
])('a refused key is one failed line that names the key if %s are requested', async (_, more) => {
  const ended = await command([breakable.baseUrl, ...more], { ERRAND_API_KEY: `errand_${'x'.repeat(38)}` });
  const rows = readTable(ended.out);
  const failed = rows.filter(({ result }) => result === 'failed');
  expect(failed.map(({ seen }) => seen)).toEqual([`ERRAND_API_KEY is refused by ${breakable.baseUrl}`]);
  const after = rows.slice(rows.indexOf(failed[0] as (typeof rows)[0]) + 1, -1);
  expect(new Set(after.map(({ result }) => result))).toEqual(new Set(['skipped']));
  expect(rows.at(-1)).toMatchObject({ result: 'passed', seen: 'nothing was made' });
});

test('a service that is not healthy is one failed line', async () => {
  breakable.break({ request: (sent) => (sent.path === '/livez' ? broken : sent) });
  const rows = await smoke(newScene(), checks);
  breakable.break(undefined);
  expect(rows[0]).toMatchObject({ result: 'failed', seen: expect.stringContaining('GET /livez: 502') });
  expect(new Set(rows.slice(1).map(({ result }) => result))).toEqual(new Set(['skipped']));
});

test.each(['/healthz', '/v1/models'])(
  'a stage whose edge has no route for %s fails with words that say what to do',
  async (path) => {
    const body = Buffer.from('{"error":"Service temporarily at capacity. Please retry."}');
    const unrouted = { status: 503, headers: {}, body };
    breakable.break({ request: (sent) => (sent.path === path ? unrouted : sent) });
    const kept = checks.filter(({ name }) => ['health', 'each prefix has its own function'].includes(name));
    const rows = await smoke(newScene(), kept);
    breakable.break(undefined);
    const [failed] = rows.filter(({ result }) => result === 'failed');
    expect(failed?.seen).toContain(`GET ${path}: 503`);
    expect(failed?.seen).toContain('deploy again, see "Requests that cannot be routed" in docs/operate.md');
    expect(readFileSync('docs/operate.md', 'utf8')).toContain('\n## Requests that cannot be routed\n');
  },
);

test('a key that is refused after it was taken fails the check that met it alone', async () => {
  const scene = newScene();
  const kept = checks.filter(({ name }) => ['the rate window', 'HEAD', '405'].includes(name));
  breakable.break({ request: (sent) => (sent.method === 'PUT' ? { ...broken, status: 401 } : sent) });
  const rows = await smoke(scene, kept);
  breakable.break(undefined);
  expect(rows.map(({ result }) => result)).toEqual(['passed', 'failed', 'passed']);
});

test('a second key that is refused is distinguished from one that sees too much', async () => {
  const scene = createScene({ baseUrl: breakable.baseUrl, key: service.apiKey, secondKey: 'errand_none' });
  const rows = await smoke(
    scene,
    checks.filter(({ name }) => name === 'two keys on one path at once'),
  );
  expect(rows[0]?.seen).toContain('the second key is refused by');
  await takeAway(scene);
});

test('cleaning up fails where runs cannot be listed', async () => {
  const scene = newScene();
  breakable.break({ request: (sent) => (sent.path.startsWith('/v1/agents/runs?') ? broken : sent) });
  await expect(takeAway(scene)).rejects.toThrow('GET /v1/agents/runs?limit=100: 502 <html> |a page| </html>');
  breakable.break(undefined);
});

test('the command does not wait for a revoked key whose answer will not change', async () => {
  const { dynamodb } = service.clients;
  const account = await makeAccount({ dynamodb, tables: localTableNames, clock: systemClock }, 1);
  const scene = newScene();
  await smoke(
    scene,
    checks.filter(({ name }) => name === 'the rate window'),
  );
  breakable.break({ request: () => ({ ...broken, status: 404 }) });
  await expect(account.close(scene)).rejects.toThrow('a key that is revoked for 0 s is answered 404');
  breakable.break(undefined);
});
