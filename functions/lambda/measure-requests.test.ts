import { type AuthenticatedEnv, createLog } from '@errand/platform';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { measureRequests } from './measure-requests.ts';

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  const app = new Hono<AuthenticatedEnv>();
  app.use('*', measureRequests({ clock: () => 0, log }, 'agents'));
  app.get('/v1/agents/runs/:agentId', (c) => c.text(''));
  app.get('/healthz', (c) => c.text(''));
  await app.request(path);
  return lines;
}

test("a run's id is in the line of a request", async () => {
  const agentId = '3f0c8a52-6f0e-4a53-9a55-0e1b8a5c7d10';
  expect(await linesOf(`/v1/agents/runs/${agentId}`)).toMatchObject([
    { message: 'request', route: '/v1/agents/runs/:agentId', agentId },
  ]);
});

test('other text in its place is not', async () => {
  const [line] = await linesOf('/v1/agents/runs/errand_secret%20of%20mine');
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('requests of probes are no part of the metrics, which would hide the failures of few others', async () => {
  const [request] = await linesOf('/v1/agents/runs/one');
  expect(request).toMatchObject({ failed: 0, milliseconds: 0 });
  const [probe] = await linesOf('/healthz');
  expect(probe).toMatchObject({ route: '/healthz', status: 200 });
  expect(probe).not.toHaveProperty('failed');
});
