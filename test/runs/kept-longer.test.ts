import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { limits, localTableNames, runsPartitions, sha256Hex, toSeconds } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';
import { openBucket, type TestBucket } from '../uploads/support.ts';

const { run: ofRun, listing, idempotency, uploadClaim, activeRuns } = runsPartitions;
const readableDays = 30;
const dayMilliseconds = 24 * 60 * 60 * 1000;
/** Even compressed too long for an item. */
const answer = Array.from({ length: limits.eventInlineBytes / 20 }, (_, i) =>
  Buffer.from(sha256Hex(`${i}`), 'hex').toString('base64url'),
).join(' ');
const material = 'The depot spent 1,250.50.\n'.repeat(200);

let provider: Provider;
let service: TestService;
let bucket: TestBucket;
let begun: number;

/** The clock of the whole process: the API, the worker, the bucket with its sweeps, and the signatures between them. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  begun = Date.now();
  provider = await startProvider();
  service = await startTestService({
    catalogue: simpleCatalogue(provider.baseUrl),
    env: { RUN_READABLE_DAYS: String(readableDays), ACTIVE_RUNS_PER_ACCOUNT: '5' },
  });
  bucket = await openBucket(service);
});

afterEach(async () => {
  vi.useRealTimers();
  bucket.close();
  await service.stop();
  await provider.close();
});

const goToDay = (day: number) => void vi.setSystemTime(begun + day * dayMilliseconds);

async function get(path: string) {
  const response = await service.request(path);
  return { status: response.status, body: await response.json() };
}

/** A run of an uploaded file that saves a file and answers at length. */
async function ask(uploadId: string): Promise<string> {
  const options = { headers: { 'Idempotency-Key': 'once' } };
  const response = await service.post('/v1/agents/runs', { question: 'What was spent?', uploadId }, options);
  expect(response.status).toBe(202);
  return ((await response.json()) as { agentId: string }).agentId;
}

async function upload(): Promise<string> {
  const announced = { filename: 'depot.txt', size: material.length };
  const ticket = await service.post('/v1/uploads', announced);
  const { uploadId, url, headers } = (await ticket.json()) as {
    uploadId: string;
    url: string;
    headers: Record<string, string>;
  };
  expect((await fetch(url, { method: 'PUT', headers, body: material })).status).toBe(200);
  return uploadId;
}

interface Kept {
  pk: string;
  sk: string;
  expiresAtSeconds: number;
  reservation?: { parts: object[] };
}

/** What the table has of runs. An upload that waits for its run is none of them. */
async function storedItems(): Promise<Kept[]> {
  const { Items = [] } = await service.clients.dynamodb.send(
    new ScanCommand({ TableName: localTableNames.runs, ConsistentRead: true }),
  );
  return (Items as Kept[]).filter(({ pk }) => !pk.startsWith(runsPartitions.openUploads));
}

const keyOf = ({ pk, sk }: Kept): string => `${pk} ${sk}`;

test('a run that is kept for 30 days is there on day 29 with all that lives with it, and gone on day 31, deleted or not', async () => {
  const turns = inTurn(
    { calls: [{ name: 'save_file', args: { filename: 'a.txt', content: 'saved' } }] },
    { text: answer },
  );
  let atWork: Kept[] | undefined;
  provider.script(async (...asked) => {
    atWork ??= await storedItems();
    return turns(...asked);
  });
  const uploadId = await upload();
  const agentId = await ask(uploadId);
  const events = await service.follow(agentId);
  const fileUrl =
    /https?:\S+/.exec(String(events.find(({ type }) => type === 'tool_result')?.result))?.[0] ?? '';
  const keys = await bucket.keys();
  expect(new Set(keys.map((key) => key.split('/')[0]))).toEqual(new Set(['uploads', 'events', 'saved']));
  const all = {
    run: `/v1/agents/runs/${agentId}`,
    events: `/v1/agents/runs/${agentId}/events`,
    response: `/v1/responses/${agentId}`,
    asked: `/v1/responses/${agentId}/input_items`,
  };
  const read = () => Promise.all(Object.values(all).map(get));
  const before = await read();
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const run = before[0]?.body as { createdAt: string; expiresAt: string; result: string };
  expect(Date.parse(run.expiresAt) - Date.parse(run.createdAt)).toBe(readableDays * dayMilliseconds);
  const reserved = atWork?.flatMap(({ reservation }) => reservation?.parts ?? []);
  expect(reserved).toMatchObject([{ hold: { untilSeconds: toSeconds(Date.parse(run.expiresAt)) } }]);
  const items = await storedItems();
  expect(new Set(items.map(({ pk }) => pk.replace(/#.*/, '#')))).toEqual(
    new Set([ofRun, listing, idempotency, uploadClaim, activeRuns]),
  );
  for (const { expiresAtSeconds } of items)
    expect(expiresAtSeconds * 1000).toBeGreaterThan(Date.parse(run.expiresAt) - 1000);

  goToDay(29);
  expect(await read()).toEqual(before);
  expect(run.result).toBe(answer);
  expect(await service.follow(agentId)).toEqual(events);
  expect(await (await fetch(fileUrl)).text()).toBe('saved');
  expect((await get('/v1/agents/runs')).body).toMatchObject({ runs: [{ agentId }] });
  expect(await ask(uploadId)).toBe(agentId);
  expect(await bucket.keys()).toEqual(keys);

  goToDay(31);
  expect((await storedItems()).map(keyOf)).toEqual(items.map(keyOf));
  expect((await read()).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await service.request(`/v1/agents/runs/${agentId}/stream`)).status).toBe(404);
  expect((await fetch(fileUrl, { redirect: 'manual' })).status).toBe(410);
  expect((await get('/v1/agents/runs')).body).toEqual({ runs: [] });

  goToDay(32);
  expect(await bucket.keys()).toEqual([]);
});

test('a run whose long texts the bucket has deleted, because the days were lowered, says so: no error of ours, and no stream that is opened again and again', async () => {
  provider.script(inTurn({ text: answer }));
  const question = `What was spent? ${material.repeat(10)}`;
  const agentId = await service.start({ question });
  const events = await service.follow(agentId);
  const path = `/v1/agents/runs/${agentId}`;
  const { expiresAt } = (await get(path)).body as { expiresAt: string };
  await bucket.empty();

  expect((await get(path)).body).toMatchObject({ agentId, status: 'succeeded', expiresAt });
  expect((await get(`/v1/agents/runs`)).body).toMatchObject({ runs: [{ agentId }] });
  expect(await get(`${path}/events`)).toEqual({ status: 404, body: { error: 'Not found' } });
  for (const response of [`/v1/responses/${agentId}`, `/v1/responses/${agentId}/input_items`])
    expect([response, (await get(response)).status]).toEqual([response, 404]);
  const last = { id: events.at(-1)?.id, type: 'error', message: expect.stringContaining('not kept') };
  expect((await service.follow(agentId)).at(-1)).toMatchObject(last);
  const seenAll = { headers: { 'Last-Event-ID': String(last.id) } };
  expect((await service.request(`${path}/stream`, seenAll)).status).toBe(204);
  const refused = await service.post('/v1/agents/runs', { question: 'Why?', previousRunId: agentId });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('is not kept')]);
  expect((await service.request(path, { method: 'DELETE' })).status).toBe(204);
});
