import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let offsetMilliseconds = 0;
const lifetimeMilliseconds = limits.runReadableSeconds * 1000;

useService(
  (started) => ({ provider, service } = started),
  () => ({ clock: () => Date.now() + offsetMilliseconds }),
);

const missing = { status: 404, body: { error: 'Not found' } };

async function get(path: string, key?: string) {
  const response = await service.request(path, key === undefined ? {} : { key });
  return { status: response.status, body: await response.json() };
}

describe('GET /v1/agents/runs/{agentId}', () => {
  test('200 with times, the run expiring when its lifetime is over', async () => {
    const agentId = await service.start({ question: 'Times' });
    await service.follow(agentId);
    const run = await service.read(agentId);
    expect(Object.keys(run)).toEqual([
      'agentId',
      'status',
      'result',
      'createdAt',
      'updatedAt',
      'expiresAt',
      'question',
      'model',
      'usage',
    ]);
    expect(Date.parse(String(run.expiresAt)) - Date.parse(String(run.createdAt))).toBe(lifetimeMilliseconds);
  });

  test('404 for a run of another key, of the same account or not, as for one that never was', async () => {
    const agentId = await service.start({ question: 'Private' });
    await service.follow(agentId);
    const sibling = await service.newKey(service.accountId);
    const { key: stranger } = await service.newAccount();
    for (const key of [sibling, stranger]) {
      for (const route of ['', '/stream', '/events'])
        expect(await get(`/v1/agents/runs/${agentId}${route}`, key)).toEqual(missing);
      const init = { key, method: 'DELETE' };
      expect((await service.request(`/v1/agents/runs/${agentId}`, init)).status).toBe(404);
      expect((await service.post(`/v1/agents/runs/${agentId}/cancel`, {}, { key })).status).toBe(404);
    }
    for (const id of ['nope', '%00', '..%2f..', 'a'.repeat(3_000)])
      expect(await get(`/v1/agents/runs/${id}`)).toEqual(missing);
  });

  test('404 past expiresAt, deleted or not', async () => {
    const agentId = await service.start({ question: 'Old' });
    await service.follow(agentId);
    offsetMilliseconds = lifetimeMilliseconds;
    try {
      expect(await get(`/v1/agents/runs/${agentId}`)).toEqual(missing);
      expect(await get(`/v1/agents/runs/${agentId}/stream`)).toEqual(missing);
      expect((await get('/v1/agents/runs')).body).toEqual({ runs: [] });
    } finally {
      offsetMilliseconds = 0;
    }
  });
});

describe('GET /v1/agents/runs/{agentId}/stream', () => {
  test('replays from the start for a Last-Event-ID that is not an event id', async () => {
    provider.script(inTurn({ text: 'x' }));
    const agentId = await service.start({ question: 'Ids' });
    const all = await service.follow(agentId);
    for (const id of ['abc', '-1', '1.5', '0x1', '', '0']) {
      const headers = { 'Last-Event-ID': id };
      const response = await service.request(`/v1/agents/runs/${agentId}/stream`, { headers });
      expect(response.status).toBe(200);
      expect((await response.text()).match(/^id: /gm)).toHaveLength(all.length);
    }
    for (const id of [String(all.length), '999999999', '9'.repeat(30)]) {
      const headers = { 'Last-Event-ID': id };
      expect((await service.request(`/v1/agents/runs/${agentId}/stream`, { headers })).status).toBe(204);
    }
  });

  test("ends with the run where it begins past the run's events", async () => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    provider.script(async () => {
      asked.resolve();
      await release.promise;
      return { text: 'late' };
    });
    const agentId = await service.start({ question: 'Past' });
    await asked.promise;
    const headers = { 'Last-Event-ID': '500' };
    const response = await service.request(`/v1/agents/runs/${agentId}/stream`, { headers });
    expect(response.status).toBe(200);
    release.resolve();
    expect(await response.text()).not.toContain('id: ');
  });

  test('says that it is an event stream that nobody may buffer, and sends retry first', async () => {
    const agentId = await service.start({ question: 'Form' });
    const response = await service.request(`/v1/agents/runs/${agentId}/stream`);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('Cache-Control')).toContain('no-cache');
    const text = await response.text();
    expect(text).toMatch(/^retry: \d+\n\nid: 1\nevent: step_start\ndata: \{"type":"step_start",/);
  });
});

describe('a result over 32 KB', () => {
  test('is whole wherever the run is shown', async () => {
    const { key } = await service.newAccount();
    provider.script(inTurn({ text: 'w'.repeat(40_000) }));
    const agentId = await service.start({ question: 'Long' }, key);
    await service.follow(agentId, { key });
    const { runs } = (await get('/v1/agents/runs', key)).body as { runs: { result: string }[] };
    expect(runs[0]?.result).toHaveLength(40_000);
    const cancelled = await service.post(`/v1/agents/runs/${agentId}/cancel`, {}, { key });
    expect(await cancelled.json()).toMatchObject({ status: 'succeeded', result: 'w'.repeat(40_000) });
  });
});

describe('GET /v1/agents/runs', () => {
  test('filters by status across pages, each run once', async () => {
    const { key } = await service.newAccount();
    provider.script((_, number) => (number % 3 === 0 ? { status: 400 } : { text: 'ok' }));
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, i) => service.start({ question: `${i}` }, key)),
    );
    for (const id of ids) await service.follow(id, { key });
    const listed: string[] = [];
    for (const status of ['succeeded', 'failed']) {
      let cursor = '';
      do {
        const page = (await get(`/v1/agents/runs?limit=2&status=${status}${cursor}`, key)).body as {
          runs: { agentId: string; status: string }[];
          cursor?: string;
        };
        expect(page.runs.every((run) => run.status === status)).toBe(true);
        listed.push(...page.runs.map((run) => run.agentId));
        cursor = page.cursor ? `&cursor=${page.cursor}` : '';
      } while (cursor !== '');
    }
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  test("lists this key's runs newest first, by page and by status", async () => {
    provider.script(inTurn({ text: 'x' }));
    const { accountId, key } = await service.newAccount();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      offsetMilliseconds = i * 1_000;
      ids.unshift(await service.start({ question: `Run ${i}` }, key));
    }
    offsetMilliseconds = 0;
    for (const id of ids) await service.follow(id, { key });
    const list = async (query: string) =>
      (await get(`/v1/agents/runs${query}`, key)).body as {
        runs: { agentId: string; status: string }[];
        cursor?: string;
      };
    expect((await list('')).runs.map(({ agentId }) => agentId)).toEqual(ids);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.cursor}`);
    const third = await list(`?limit=2&cursor=${second.cursor}`);
    expect([first, second, third].flatMap(({ runs }) => runs.map(({ agentId }) => agentId))).toEqual(ids);
    expect((await list('?status=succeeded')).runs).toHaveLength(5);
    expect((await list('?status=failed')).runs).toEqual([]);
    const sibling = await service.newKey(accountId);
    expect((await get('/v1/agents/runs', sibling)).body).toEqual({ runs: [] });
    for (const bad of ['?limit=0', '?limit=101', '?limit=x', '?status=lost', '?cursor=%00'])
      expect((await service.request(`/v1/agents/runs${bad}`, { key })).status).toBe(400);
  });
});

describe('GET /v1/agents/runs/{agentId}/events', () => {
  test('pages through the events, each with its time', async () => {
    provider.script(inTurn({ text: 'paged' }));
    const agentId = await service.start({ question: 'Pages' });
    const all = await service.follow(agentId);
    const page = (await get(`/v1/agents/runs/${agentId}/events?after=2&limit=3`)).body as {
      events: { id: number; at: string; event: object }[];
      more: boolean;
    };
    expect(page.more).toBe(true);
    expect(page.events.map(({ id, event }) => ({ id, ...event }))).toEqual(all.slice(2, 5));
    expect(page.events.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
    const rest = (await get(`/v1/agents/runs/${agentId}/events?after=5`)).body as typeof page;
    expect([rest.more, rest.events.length]).toEqual([false, all.length - 5]);
  });
});

describe('DELETE /v1/agents/runs/{agentId}', () => {
  test('204 for a finished run, with its events, payloads and files gone', async () => {
    provider.script(
      inTurn(
        { calls: [{ name: 'save_file', args: { filename: 'a.txt', content: 'bye' } }] },
        { text: 'z'.repeat(50_000) },
      ),
    );
    const agentId = await service.start({ question: 'Delete me' });
    const events = await service.follow(agentId);
    const link =
      /https?:\S+/.exec(String(events.find(({ type }) => type === 'tool_result')?.result))?.[0] ?? '';
    expect((await fetch(link)).status).toBe(200);
    expect((await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' })).status).toBe(204);
    expect(await get(`/v1/agents/runs/${agentId}`)).toEqual(missing);
    expect(await get(`/v1/agents/runs/${agentId}/events`)).toEqual(missing);
    expect((await fetch(link)).status).toBe(404);
    expect((await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' })).status).toBe(404);
  });
});

describe("a saved file's link", () => {
  test('is 410 past its expiry', async () => {
    provider.script(
      inTurn({ calls: [{ name: 'save_file', args: { filename: 'b.md', content: '# b' } }] }, { text: 'ok' }),
    );
    const events = await service.follow(await service.start({ question: 'Link' }));
    const link =
      /https?:\S+/.exec(String(events.find(({ type }) => type === 'tool_result')?.result))?.[0] ?? '';
    offsetMilliseconds = lifetimeMilliseconds + 60_000;
    try {
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
    } finally {
      offsetMilliseconds = 0;
    }
  });
});

describe('/v1/values', () => {
  test('lists, reads and forgets what runs saved', async () => {
    const { key } = await service.newAccount();
    provider.script(
      inTurn(
        {
          calls: [
            { name: 'save_data', args: { name: 'a/b ü', value: 'one' } },
            { name: 'save_data', args: { name: 'z', value: 'two' } },
          ],
        },
        { text: 'ok' },
      ),
    );
    await service.follow(await service.start({ question: 'Save' }, key), { key });
    expect((await get('/v1/values', key)).body).toMatchObject({ values: [{ name: 'a/b ü' }, { name: 'z' }] });
    const path = `/v1/values/${encodeURIComponent('a/b ü')}`;
    expect((await get(path, key)).body).toMatchObject({ name: 'a/b ü', value: 'one' });
    expect(await get(path)).toEqual(missing);
    expect((await service.request(path, { key, method: 'DELETE' })).status).toBe(204);
    expect(await get(path, key)).toEqual(missing);
    expect((await service.request(path, { key, method: 'DELETE' })).status).toBe(404);
  });
});
