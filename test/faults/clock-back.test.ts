import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '@errand/platform';
import { beforeEach, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const twoHours = 2 * 3_600_000;
const windowMilliseconds = limits.windowSeconds * 1_000;

let dataDir: string;
let service: TestService;
let key: string;

const start = async () => {
  service = await startTestService({ dataDir, env: { RATE_LIMIT_REQUESTS: '60' } });
};

/**
 * The clock of the whole process: the API, the worker, the queue, the bucket, and the signatures between them. A window of the
 * rate begins, and has the time for all requests.
 */
beforeEach(async () => {
  const now = Date.now() - (Date.now() % windowMilliseconds);
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now });
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-clock-'));
  await start();
  key = (await service.newAccount('10')).key;
  return async () => {
    vi.useRealTimers();
    await service.stop();
    await rm(dataDir, { recursive: true });
  };
});

const ways = {
  'while it runs': async () => void vi.setSystemTime(Date.now() - twoHours),
  'while it is stopped': async () => {
    await service.stop();
    vi.setSystemTime(Date.now() - twoHours);
    await start();
  },
};

const messages = [{ role: 'user', content: 'Say hello.' }];
const chat = (as = key) => service.post('/v1/chat/completions', { model: 'stand-in', messages }, { key: as });
const decide = () => {
  const questions = { q: { type: 'noul', instructions: 'Is it?' } };
  return service.post('/v1/systemone', { model: 'stand-in-decision', state: 'S', questions }, { key });
};

interface Ticket {
  uploadId: string;
  url: string;
  headers: Record<string, string>;
}

async function open(as = key): Promise<Ticket> {
  const response = await service.post('/v1/uploads', { filename: 'note.txt', size: 4 }, { key: as });
  expect(response.status).toBe(201);
  return (await response.json()) as Ticket;
}

const send = ({ url, headers }: Ticket) => fetch(url, { method: 'PUT', headers, body: 'text' });

/** The link that a run has made to a file which it saved. */
async function saveFile(): Promise<string> {
  const agentId = await service.start({ question: 'Save "hello" as a file named note.md' }, key);
  const events = await service.follow(agentId, { key });
  expect(events.at(-1)?.type).toBe('done');
  const link = JSON.stringify(events).match(/\/v1\/files\/[^\s"\\)]+/)?.[0];
  return link!;
}

const read = async (link: string) => (await (await fetch(`${service.baseUrl}${link}`)).text()).trim();

test.each(Object.entries(ways))(
  'a service whose clock is set back two hours %s goes on with everything',
  async (_, setBack) => {
    const link = await saveFile();
    const before = await open();
    expect((await send(before)).status).toBe(200);
    const full = (await service.newAccount('10')).key;
    for (let opened = 0; opened < limits.openUploads; opened++) await open(full);
    const limited = (await service.newAccount('10')).key;
    const ask = () => service.request('/v1/credits', { key: limited });
    for (let asked = 0; asked < 60; asked++) await ask();
    expect((await ask()).status).toBe(429);
    expect((await chat()).status).toBe(200);

    await setBack();

    expect((await chat()).status).toBe(200);
    expect((await decide()).status).toBe(200);
    expect(await read(link)).toBe('hello');
    expect(await read(await saveFile())).toBe('hello');
    expect((await send(await open())).status).toBe(200);
    const taken = await service.start({ question: 'What does it say?', uploadId: before.uploadId }, key);
    expect((await service.follow(taken, { key })).at(-1)?.type).toBe('done');
    await open(full);
    const answer = await ask();
    expect([answer.status, Number(answer.headers.get('RateLimit-Reset')) <= limits.windowSeconds]).toEqual([
      200,
      true,
    ]);
    const { entries } = (await (await service.request('/v1/credits', { key })).json()) as {
      entries: object[];
    };
    expect(entries.filter((entry) => 'model' in entry && 'outputTokens' in entry).length).toBeGreaterThan(3);
  },
);
