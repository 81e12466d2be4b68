import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limits } from '@errand/platform';
import { checkouts } from '../checkouts.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';
import { descriptors, measureCpu, processesOf, residentMegabytes, startNode } from '../processes.ts';
import { probe } from './probe.ts';
import { openReaders, type Readers } from './readers.ts';
import { type Author, createRuns, openAuthor, type Service } from './runs.ts';

const idleSeconds = 10;
const settleSeconds = 5;
/** Longer than connections to the store are kept for nothing. */
const leaveSeconds = 65;
const sampledCommits = 40;
const commitsAtOnce = 25;

/**
 * Readers of runs on which little happens, in parts: what they cost, and what others notice of them. `--against DIR`
 * also measures another checkout.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { readers: { type: 'string', default: '10,100,1000,5000' }, against: { type: 'string' } },
  });
  const rows: string[][] = [];
  for (const count of values.readers.split(','))
    for (const { name, root } of checkouts(values.against))
      rows.push([name, ...(await measure(Number(count), root))]);
  printTable(
    [
      'service',
      'readers',
      'CPU of the API, idle',
      'CPU of the store, idle',
      'memory before / with',
      'other requests, opening (p50 / p99)',
      'a GET of a run, idle',
      'a plain chat, idle',
      'commit to reader',
      'other requests that failed',
      'cut before their first event',
      'descriptors before / with / after',
    ],
    rows,
  );
}

async function measure(count: number, root: string): Promise<string[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-readers-'));
  const start = (only: string) =>
    startNode(path.join(root, 'packages/local/main.ts'), ['--only', only], {
      cwd: root,
      quiet: true,
      readyWhen: /running/,
      env: { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_REQUESTS: '100000000' },
    });
  const aws = await start('aws');
  const api = await start('api');
  try {
    const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as Service;
    const author = openAuthor(service);
    const runs = await createRuns(service, Math.ceil(count / limits.streamsPerRun));
    await author.claim(runs);
    const before = { descriptors: descriptors(api.pid), megabytes: residentMegabytes([api.pid]) };
    const opening = probe(service, runs);
    const readers = await openReaders(service, runs, count);
    const whileOpening = await opening.stop();
    await sleep(settleSeconds * 1000);

    const apiCpu = measureCpu([api.pid]);
    const storeCpu = measureCpu(processesOf(aws.pid));
    await sleep(idleSeconds * 1000);
    const cpu = [apiCpu(), storeCpu()].map((used) => `${(used / idleSeconds / 10).toFixed(1)} %`);
    const idling = probe(service, runs);
    await sleep(idleSeconds * 1000);
    const whileIdle = await idling.stop();
    const delays = await measureDelays(author, readers, runs);
    const cut = await countCut(author, readers, runs);
    const within = { descriptors: descriptors(api.pid), megabytes: residentMegabytes([api.pid]) };

    readers.leave();
    await sleep(leaveSeconds * 1000);
    return [
      String(count),
      ...cpu,
      `${before.megabytes.toFixed(0)} / ${within.megabytes.toFixed(0)} MB`,
      pair([...whileOpening.reads, ...whileOpening.chats]),
      pair(whileIdle.reads),
      pair(whileIdle.chats),
      pair(delays),
      String(whileOpening.failed + whileIdle.failed),
      String(cut),
      [before.descriptors, within.descriptors, descriptors(api.pid)].join(' / '),
    ];
  } finally {
    api.stop();
    aws.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const pair = (times: readonly number[]) => {
  const { p50, p99 } = percentiles(times);
  return `${milliseconds(p50)} / ${milliseconds(p99)}`;
};

/** Milliseconds from the end of a commit by this process to each reader of the run. */
async function measureDelays(author: Author, readers: Readers, runs: readonly string[]): Promise<number[]> {
  const delays: number[] = [];
  for (let commit = 0; commit < sampledCommits; commit++) {
    await sleep(400 + Math.random() * 400);
    const agentId = runs[commit % runs.length] ?? '';
    const { id, at } = await author.commit(agentId);
    for (const seenAt of await readers.seen(agentId, id)) delays.push(Math.max(0, seenAt - at));
  }
  return delays;
}

/** Commits an event on every run, and counts the readers that never had one. */
async function countCut(author: Author, readers: Readers, runs: readonly string[]): Promise<number> {
  for (let at = 0; at < runs.length; at += commitsAtOnce)
    await Promise.all(
      runs.slice(at, at + commitsAtOnce).map(async (agentId) => {
        const { id } = await author.commit(agentId);
        await readers.seen(agentId, id);
      }),
    );
  return readers.cut();
}
