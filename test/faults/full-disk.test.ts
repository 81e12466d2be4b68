import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { parseEvents } from '../support/service.ts';
import { type Outside, startOutside } from './support/outside.ts';
import {
  canMakeDisks,
  connect,
  onSmallDisk,
  type ServiceProcess,
  serviceEnv,
  serviceProgram,
  spawnService,
} from './support/service-process.ts';

let outside: Outside;
let base: string;
let env: Record<string, string>;

beforeAll(async () => {
  outside = await startOutside();
  base = await mkdtemp(path.join(tmpdir(), 'errand-disk-'));
  // The catalogue stays outside of the disk that is filled.
  const folder = await mkdtemp(path.join(base, 'data-'));
  env = { ...(await serviceEnv(base, outside)), DATA_DIR: folder };
});
afterAll(async () => {
  await outside?.close();
  await rm(base, { recursive: true, force: true });
});

describe.skipIf(!canMakeDisks)('a start on a full disk', () => {
  // So small that one part of the start after the other meets the end of the disk.
  test.each([4, 8, 48, 96, 160])('of %d KB ends with one sentence and leaves no lock behind', (kilobytes) => {
    const start = [process.execPath, serviceProgram];
    const shown = ['sh', '-c', '"$@"; echo "status $?"; ls -A "$DATA_DIR"', 'sh', ...start];
    const [program, ...words] = onSmallDisk(kilobytes, shown) as [string, ...string[]];
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const { stdout, stderr } = spawnSync(program, words, {
      env: { PATH, NODE_COMPILE_CACHE, PORT: '0', ...env },
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      `The disk of the data folder ${env.DATA_DIR} is full (ENOSPC). Make room and start again.\n`,
    );
    expect(stdout).toMatch(/^status 1\n/);
    expect(stdout).not.toMatch(/\.lock|\.tmp|service\.json/);
  });
});

describe.skipIf(!canMakeDisks)('a service whose disk fills up', () => {
  let service: ServiceProcess;
  let disk: string;
  let client: Awaited<ReturnType<typeof connect>>;

  beforeAll(async () => {
    service = spawnService(env, { diskKilobytes: 8_000 });
    await service.ready;
    disk = `/proc/${service.child.pid}/root${env.DATA_DIR}`;
    client = await connect(disk);
  });
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
  });

  const fillUp = () => {
    const file = path.join(disk, 'fill');
    for (let bytes = 1_000_000; bytes >= 1; ) {
      try {
        appendFileSync(file, Buffer.alloc(bytes));
      } catch {
        bytes = Math.floor(bytes / 10);
      }
    }
  };
  const makeRoom = () => rmSync(path.join(disk, 'fill'));
  const post = (route: string, body: object) =>
    client.request(route, { method: 'POST', body: JSON.stringify(body) });
  const saveFile = (label: string) => {
    const calls = [{ name: 'save_file', args: { filename: 'a.md', content: 'a' } }];
    outside.script(label, (number) => (number === 1 ? { calls } : { text: 'Saved.' }));
    return { question: `Save a file [${label} run]` };
  };

  test('refuses what it must write, answers what it reads, and loses and doubles nothing', async () => {
    const first = await client.start(saveFile('before'));
    expect((await client.follow(first)).at(-1)?.type).toBe('done');
    const upload = await post('/v1/uploads', { filename: 'note.txt', size: 100_000 });
    const { url, headers } = (await upload.json()) as { url: string; headers: Record<string, string> };
    const send = () => fetch(url, { method: 'PUT', headers, body: 'a'.repeat(100_000) });

    const release = outside.hold(({ label, what }) => label === 'during' && what === 'completion-1');
    const asked = outside.nextAsked(({ label }) => label === 'during');
    const during = await client.start(saveFile('during'));
    await asked;
    const answer = outside.hold(({ label }) => label === 'chat');
    const chatAsked = outside.nextAsked(({ label }) => label === 'chat');
    const messages = [{ role: 'user', content: 'Hello. [chat run]' }];
    const chat = post('/v1/chat/completions', { model: 'writer', messages });
    await chatAsked;
    fillUp();
    answer();
    expect((await chat).status).toBe(200);
    expect(service.log()).toContainEqual(
      expect.objectContaining({ message: 'charge deferred', kind: 'completion', amountNanoEuro: 120_000 }),
    );

    expect(await readdir(path.join(disk, 'charges'))).toContainEqual(
      expect.stringMatching(/^chat_.*\.json$/),
    );

    const refused = await post('/v1/agents/runs', saveFile('refused'));
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await post('/v1/chat/completions', { model: 'writer', messages })).status).toBe(503);
    for (const route of [
      `/v1/agents/runs/${first}`,
      `/v1/agents/runs/${first}/events`,
      '/v1/credits',
      '/livez',
    ])
      expect([route, (await client.request(route)).status]).toEqual([route, 200]);
    expect((await client.request('/healthz')).status).toBe(503);
    const replay = await client.request(`/v1/agents/runs/${first}/stream`);
    expect(parseEvents(await replay.text()).at(-1)?.type).toBe('done');
    const put = await send();
    expect([put.status, await put.text()]).toEqual([503, expect.stringContaining('ServiceUnavailable')]);
    expect(service.log()).toContainEqual(
      expect.objectContaining({ message: 'embedded aws', code: 'ENOSPC' }),
    );
    release();
    const ofRun = () => service.log().filter(({ agentId }) => agentId === during);
    await eventually(() => ofRun().map(({ error }) => error)).toContain('InternalServerError');

    makeRoom();
    expect((await send()).status).toBe(200);
    await eventually(
      async () => (await post('/v1/chat/completions', { model: 'writer', messages })).status,
    ).toBe(200);
    expect((await client.request('/healthz')).status).toBe(200);
    const events = await client.follow(during);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Saved.' });
    expect(events.filter(({ type }) => type === 'tool_result')).toHaveLength(1);
    const after = await client.start(saveFile('after'));
    expect((await client.follow(after)).at(-1)?.type).toBe('done');
    // Three completions a run, and two chats: each is 100 tokens in and 10 out.
    await eventually(async () => (await client.credits()).balance).toBe('9.99868');
    const { entries } = await client.credits();
    expect(entries.filter(({ amount }) => amount.startsWith('-'))).toHaveLength(11);
  });

  test('stops in order while its disk is full', async () => {
    fillUp();
    service.child.kill('SIGTERM');
    expect((await service.ended).status).toBe(0);
  });
});
