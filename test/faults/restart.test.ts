import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { alike, everythingRun } from './support/everything-run.ts';
import { type Outside, startOutside } from './support/outside.ts';
import { connect, type ServiceProcess, serviceEnv, spawnService } from './support/service-process.ts';

let outside: Outside;
let dataDir: string;
let env: Record<string, string>;
let processes: ServiceProcess[];

beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-restart-'));
  env = await serviceEnv(dataDir, outside);
  processes = [];
});
afterEach(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  await rm(dataDir, { recursive: true, force: true });
});

function launch(only?: string, extra: Record<string, string> = {}): ServiceProcess {
  const service = spawnService({ ...env, ...extra }, only === undefined ? {} : { only });
  processes.push(service);
  return service;
}

const runCount = 50;

/** A run with two tool calls, one per model turn, then an answer and the final check. */
function shortRun(label: string): object {
  const calls = [{ name: 'save_data', args: { name: label, value: label } }];
  outside.script(label, (number) => (number < 3 ? { calls } : { text: 'Done.' }));
  return { question: `Save [${label} run]` };
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  '50 runs finish though the service is ended by %s in the middle of them',
  async (signal) => {
    const first = launch();
    await first.ready;
    const before = await connect(dataDir);
    let asked = 0;
    const half = outside.nextAsked(({ label, what }) => {
      if (label.startsWith(signal) && what === 'completion-2') asked++;
      return asked === runCount / 2;
    });
    const labels = Array.from({ length: runCount }, (_, i) => `${signal}-${i}`);
    const ids: string[] = [];
    // A slow machine's store answers fifty creations at once with 503.
    for (let i = 0; i < runCount; i += 5)
      ids.push(...(await Promise.all(labels.slice(i, i + 5).map((label) => before.start(shortRun(label))))));
    await half;
    first.child.kill(signal);
    expect((await first.ended).status).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
    await launch().ready;
    const after = await connect(dataDir);
    const runs = await Promise.all(ids.map((id) => after.follow(id)));
    for (const events of runs) {
      expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
      expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
      expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
    }
    // Four completions of 100 tokens in and 10 out, at 1,000 and 2,000 nano-euro: 0.00048 EUR a run.
    expect((await after.credits()).balance).toBe('9.976');
  },
);

test.each([undefined, 'aws'])(
  'a service that gets a signal while it still starts (%s) ends cleanly',
  async (only) => {
    const service = launch(only);
    await vi.waitUntil(() => existsSync(path.join(dataDir, 'service.json')), {
      interval: 1,
      timeout: 60_000,
    });
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual({ status: 0, stderr: expect.not.stringContaining('Error') });
    expect((await readdir(dataDir)).filter((name) => name.startsWith('service.json'))).toEqual([]);
  },
);

test('a service told to end while a run waits for its model gives the run back, ends cleanly, and the run goes on', async () => {
  const first = launch(undefined, { RUN_LEASE_SECONDS: '60' });
  await first.ready;
  const client = await connect(dataDir);
  const isIt = ({ label, what }: { label: string; what: string }) =>
    label === 'drained' && what === 'completion-2';
  const open = outside.hold(isIt);
  const asked = outside.nextAsked(isIt);
  const agentId = await client.start(shortRun('drained'));
  const reader = client.follow(agentId).catch(() => []);
  await asked;
  first.child.kill('SIGTERM');
  expect((await first.ended).status).toBe(0);
  await reader;
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
  open();
  // The lease would have lasted another minute. The run can be claimed because the first process released it.
  await launch(undefined, { RUN_LEASE_SECONDS: '60' }).ready;
  expect((await (await connect(dataDir)).follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
});

test('a run whose service was killed goes on as soon as the service has started again, long before its lease ends', async () => {
  // Longer than a busy machine needs to start a service.
  const leaseSeconds = 900;
  const first = launch(undefined, { RUN_LEASE_SECONDS: String(leaseSeconds) });
  await first.ready;
  const client = await connect(dataDir);
  const isIt = ({ label, what }: { label: string; what: string }) =>
    label === 'taken-over' && what === 'completion-2';
  const open = outside.hold(isIt);
  const asked = outside.nextAsked(isIt);
  const agentId = await client.start(shortRun('taken-over'));
  await asked;
  first.child.kill('SIGKILL');
  const killedAt = Date.now();
  await first.ended;
  open();
  const second = launch(undefined, { RUN_LEASE_SECONDS: String(leaseSeconds) });
  await second.ready;
  const events = await (await connect(dataDir)).follow(agentId);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
  expect(second.log()).toContainEqual(
    expect.objectContaining({ message: 'run goes on: the process that worked on it has ended', agentId }),
  );
  // The lease was renewed at most a third of its length before the kill.
  expect(Date.now() - killedAt).toBeLessThan((leaseSeconds * 1000 * 2) / 3);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'runs that wait for a provider go on after the service was ended by %s, each charged once',
  async (signal) => {
    const first = launch();
    await first.ready;
    const before = await connect(dataDir);
    const comeBack = outside.cutOff(
      ({ label, what }) => label.startsWith(`waits-${signal}`) && what === 'completion-2',
    );
    const labels = Array.from({ length: 10 }, (_, i) => `waits-${signal}-${i}`);
    const ids: string[] = [];
    // A slow machine's store answers fifty creations at once with 503.
    for (let i = 0; i < runCount; i += 5)
      ids.push(...(await Promise.all(labels.slice(i, i + 5).map((label) => before.start(shortRun(label))))));
    await Promise.all(
      ids.map((agentId) => before.untilStreamed(agentId, ': waiting for the model provider')),
    );
    first.child.kill(signal);
    expect((await first.ended).status).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
    comeBack();
    await launch().ready;
    const after = await connect(dataDir);
    for (const agentId of ids) {
      const events = await after.follow(agentId);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
      expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
      expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
    }
    expect((await after.credits()).balance).toBe('9.9952');
  },
);

test('parts in processes of their own share one folder, and a run goes through them', async () => {
  const aws = launch('aws');
  await aws.ready;
  const parts = [launch('api'), launch('worker'), launch('worker')];
  await Promise.all(parts.map(({ ready }) => ready));
  const client = await connect(dataDir);
  const agentId = await client.start(everythingRun(outside, 'apart'));
  const events = alike(await client.follow(agentId), { agentId, label: 'apart' });
  expect(events.at(-1)).toMatchObject({ id: 34, type: 'done' });
  for (const { child } of parts) child.kill('SIGTERM');
  expect((await Promise.all(parts.map(({ ended }) => ended))).map(({ status }) => status)).toEqual([0, 0, 0]);
  aws.child.kill('SIGTERM');
  expect((await aws.ended).status).toBe(0);
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
});

describe('a start that cannot go on says why and exits with status 1', () => {
  const refusal = async (only?: string, extra?: Record<string, string>) => {
    const { status, stderr } = await launch(only, extra).ended;
    return { status, lines: stderr.trim().split('\n') };
  };

  test('where the port is in use', async () => {
    const port = new URL(outside.url).port;
    expect(await refusal(undefined, { PORT: port })).toEqual({
      status: 1,
      lines: [
        `Port ${port} on 127.0.0.1 is already in use. Set PORT to another one, or to 0 for any free one.`,
      ],
    });
    expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
  });

  test('where the data folder cannot be written', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    const { status, lines } = await refusal(undefined, { DATA_DIR: path.join(file, 'folder') });
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^The data folder .* cannot be written \(ENOTDIR\)\./)],
    ]);
  });

  test('where another process serves the folder, which goes on serving it', async () => {
    await launch().ready;
    const { status, lines } = await refusal();
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/ is already served by process \d+ at http/)],
    ]);
    expect((await (await connect(dataDir)).request('/healthz')).status).toBe(200);
  });

  test('where nothing serves the folder that a part is for', async () => {
    const { status, lines } = await refusal('worker');
    expect([status, lines]).toEqual([1, [expect.stringMatching(/^Nothing serves the data folder/)]]);
  });

  test('where values are wrong, one line for each', async () => {
    const { status, lines } = await refusal(undefined, {
      PORT: 'abc',
      RUN_LEASE_SECONDS: '0',
      LOCATION: 'mars',
    });
    expect(status).toBe(1);
    expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual([
      'LOCATION',
      'PORT',
      'RUN_LEASE_SECONDS',
    ]);
  });
});

test('what a dead service left in service.json does not keep the next one from starting', async () => {
  const first = launch();
  await first.ready;
  first.child.kill('SIGKILL');
  await first.ended;
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(true);
  await launch().ready;
  expect((await (await connect(dataDir)).request('/healthz')).status).toBe(200);
});

/** Makes what a process would wait for at its end take ten minutes: it ends before only if it does not wait. */
const longWaits = encodeURIComponent(
  `const { setTimeout: start } = globalThis;
  globalThis.setTimeout = (end, ms, ...more) => start(end, ms >= 8_000 ? 600_000 : ms, ...more);`,
).replaceAll("'", '%27');

test('Ctrl-C says what it waits for, and Ctrl-C again ends at once, with the run handed back', async () => {
  const first = launch(undefined, { NODE_OPTIONS: `--import=data:text/javascript,${longWaits}` });
  await first.ready;
  const before = await connect(dataDir);
  const release = outside.hold(({ label }) => label === 'ctrl-c');
  const asked = outside.nextAsked(({ label }) => label === 'ctrl-c');
  const agentId = await before.start({ question: 'When? [ctrl-c run]' });
  await asked;
  first.child.kill('SIGINT');
  await eventually(() => first.said()).toContain('Stopping: 1 run; up to 15 s. Ctrl-C again ends at once.');
  const again = setInterval(() => first.child.kill('SIGINT'), 100);
  expect((await first.ended).status).toBe(0);
  clearInterval(again);
  release();
  const second = launch();
  await second.ready;
  const events = await (await connect(dataDir)).follow(agentId);
  expect(events.at(-1)?.type).toBe('done');
  const claims = second.log().filter(({ message }) => message === 'run claimed');
  expect(claims.map(({ deaths }) => deaths)).toEqual([0]);
});

test('a service that is told to end after the reader of its output has gone ends in order', async () => {
  const service = launch();
  await service.ready;
  const { child } = service;
  child.stdout?.destroy();
  child.stderr?.destroy();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
});

test('an uncaught error is logged without its text, and the service shuts down in order with status 1', async () => {
  const throws = encodeURIComponent(
    `process.on('SIGUSR2', () => { throw new RangeError('a secret'); });`,
  ).replaceAll("'", '%27');
  const service = launch(undefined, { NODE_OPTIONS: `--import=data:text/javascript,${throws}` });
  await service.ready;
  service.child.kill('SIGUSR2');
  const { status, stderr } = await service.ended;
  expect(status).toBe(1);
  expect(service.log()).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'uncaught exception', error: 'RangeError' }),
  );
  expect(stderr).not.toContain('a secret');
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
});
