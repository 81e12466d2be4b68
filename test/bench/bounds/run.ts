import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limits } from '@errand/platform';
import type { Schema } from '../../security/support/fuzz-values.ts';
import { makeMaterial, readOpenApi } from '../../security/support/make-material.ts';
import { megabytes, milliseconds, percentiles, printTable } from '../figures.ts';
import { residentMegabytes, startNode } from '../processes.ts';
import { startWatched, type WatchedService } from '../soak/watched-service.ts';
import { edgesOf } from './edge-values.ts';
import { leaveUnread, unreadRequests } from './unread.ts';

const atOnce = 16;
const sampleMilliseconds = 250;
const largeCharacters = 500_000;
const livezMilliseconds = 250;
/** Code is compiled and pages are taken by the first requests of a process: memory is compared with what it is after them. */
const firstRequests = 2_000;
const settleMilliseconds = limits.streamStallMilliseconds + 20_000;

interface Sent {
  what: string;
  method: string;
  path: string;
  body: () => string;
}

/** Every field of every JSON route at its bound and past it, beside clients that read nothing, and what is left in the process. */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { requests: { type: 'string', default: '200000' }, minutes: { type: 'string', default: '60' } },
  });
  const provider = await startNode(path.join(import.meta.dirname, 'provider.ts'), []);
  const service = await startWatched({
    MODEL_BASE_URL: `http://127.0.0.1:${provider.ready}/v1`,
    MODEL_API_KEY: 'none',
    MODEL_ID: 'writer',
  });
  try {
    await attack(service, Number(values.requests), Number(values.minutes) * 60_000);
  } finally {
    await service.stop();
    provider.stop();
  }
}

async function attack(service: WatchedService, requests: number, forMilliseconds: number): Promise<void> {
  const { baseUrl, keys, pid } = service;
  const [key = ''] = keys;
  const all = await edgeRequests(service);
  const unread = unreadRequests(...(await makeFloods(baseUrl, key)));
  console.log(`${all.length} requests at a bound, and ${unread.length} whose answers are not read.\n`);
  const fresh = await service.watched();
  await sendAll({ baseUrl, key }, all, firstRequests, Number.POSITIVE_INFINITY);
  await sleep(settleMilliseconds);
  const before = await service.watched();
  const livez: { milliseconds: number; late: number; isWell: boolean }[] = [];
  const watcher = fork(path.join(import.meta.dirname, 'watch-livez.ts'), [baseUrl]);
  watcher.on('message', (one: (typeof livez)[number]) => livez.push(one));
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMegabytes([pid]));
  }, sampleMilliseconds);
  const over = new AbortController();
  const leaving = leaveUnread({ baseUrl, key }, unread, over.signal);
  const answers = await sendAll({ baseUrl, key }, all, requests, performance.now() + forMilliseconds);
  over.abort();
  const left = await leaving;
  clearInterval(sampling);
  watcher.kill();
  const within = await service.watched();
  await sleep(settleMilliseconds);
  const after = await service.watched();
  printAnswers(answers, left);
  const times = livez.map((one) => one.milliseconds);
  printTable(
    [
      '`/livez`: asked',
      'p50 / p99 / longest',
      `past ${livezMilliseconds} ms`,
      'failed',
      'the asking process late, at most',
      'longest turn in CPU',
    ],
    [
      [
        times.length,
        [...Object.values(percentiles(times)), Math.max(...times)].map(milliseconds).join(' / '),
        times.filter((one) => one > livezMilliseconds).length,
        livez.filter(({ isWell }) => !isWell).length,
        milliseconds(Math.max(...livez.map(({ late }) => late))),
        milliseconds(within.longestTurnCpuMilliseconds),
      ],
    ],
  );
  printTable(
    ['memory', 'heap', 'external', 'resident'],
    [
      ['fresh', ...memoryOf(fresh)],
      [`${firstRequests} requests and ${settleMilliseconds / 1000} s later: before`, ...memoryOf(before)],
      ['at most', '', '', megabytes(peak)],
      ['right after', ...memoryOf(within)],
      [`${settleMilliseconds / 1000} s after`, ...memoryOf(after)],
    ],
  );
}

const memoryOf = (watched: Awaited<ReturnType<WatchedService['watched']>>) =>
  [watched.heapMegabytes, watched.externalMegabytes, watched.residentMegabytes].map(megabytes);

/** Every place of every JSON body and of every query and path, in no order. */
async function edgeRequests({ baseUrl, keys }: WatchedService): Promise<Sent[]> {
  const { runs, skills } = await makeMaterial({ baseUrl, keys });
  const openApi = (await readOpenApi(baseUrl)) as unknown as Described;
  const fill = (route: string) =>
    route
      .replace('{agentId}', runs[0] ?? '')
      .replace('{id}', (route.includes('skills') && skills[0]) || 'none')
      .replace(/\{\w+\}/g, '1');
  const all: Sent[] = [];
  for (const [route, operations] of Object.entries(openApi.paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const { schema, example } = requestBody?.content['application/json'] ?? {};
      const usable = JSON.parse(JSON.stringify(example ?? {}).replaceAll('"judge"', '"stand-in-decision"'));
      const plain = { method: method.toUpperCase(), path: fill(route) };
      for (const { place, make } of schema ? edgesOf(schema, usable, route) : [])
        all.push({ ...plain, what: place, body: () => JSON.stringify(make()) });
      for (const { in: where, name, schema: own } of parameters)
        for (const { make } of where === 'query' || where === 'path' ? edgesOf(own, '', name) : []) {
          const text = () => encodeURIComponent(String(make())).slice(0, 14_000);
          const address =
            where === 'query' ? `${fill(route)}?${name}=${text()}` : fill(route.replace(`{${name}}`, text()));
          all.push({ method: plain.method, path: address, what: `${route} ${name}`, body: () => '' });
        }
    }
  return all
    .map((one) => [Math.random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

interface Described {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema; example: unknown }> };
      }
    >
  >;
}

/** A run and a response of 4 MB. */
async function makeFloods(baseUrl: string, key: string): Promise<[string, string]> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const post = async (where: string, body: object) =>
    (await (
      await fetch(`${baseUrl}${where}`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as Record<string, string>;
  const { agentId = '' } = await post('/v1/agents/runs', { question: 'Flood' });
  const { id = '' } = await post('/v1/responses', { model: 'writer', input: 'Flood' });
  await (await fetch(`${baseUrl}/v1/agents/runs/${agentId}/stream`, { headers })).arrayBuffer();
  return [agentId, id];
}

async function sendAll(
  to: { baseUrl: string; key: string },
  all: readonly Sent[],
  requests: number,
  until: number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const answers = new Map<string, Map<string, number>>();
  let next = 0;
  const work = async () => {
    while (next < requests && performance.now() < until) {
      const one = all[next++ % all.length] as Sent;
      const status = await send(to, one, agent);
      const places = answers.get(status) ?? new Map<string, number>();
      answers.set(status, places.set(one.what, (places.get(one.what) ?? 0) + 1));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return answers;
}

/** Resolves with the status, and whether a 503 says when to try again. */
function send({ baseUrl, key }: { baseUrl: string; key: string }, one: Sent, agent: Agent): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const body = one.body();
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    // The service closes a connection whose body was refused and goes on, perhaps under the next request.
    const own = body.length > largeCharacters ? false : agent;
    const outgoing = request({
      hostname,
      port,
      agent: own,
      headers,
      method: one.method,
      path: one.path,
    });
    let status = 'none: the connection ended';
    const timer = setTimeout(() => {
      status = 'none: left after 60 s';
      outgoing.destroy();
    }, limits.answerMilliseconds + 5_000);
    const done = () => {
      clearTimeout(timer);
      resolve(status);
    };
    outgoing.on('error', done).on('close', done);
    outgoing.on('response', (response) => {
      status = `${response.statusCode}${response.headers['retry-after'] ? ' with Retry-After' : ''}`;
      response.on('error', done).resume();
    });
    outgoing.end(body);
  });
}

function printAnswers(answers: Map<string, Map<string, number>>, left: number): void {
  const rows = [...answers]
    .toSorted()
    .map(([status, places]) => [
      status,
      [...places.values()].reduce((sum, count) => sum + count, 0),
      /^(none|5)/.test(status) && status !== '503 with Retry-After'
        ? [...places].map((pair) => pair.join(' x ')).join(', ')
        : '',
    ]);
  printTable(['answer', 'count', 'to'], rows);
  console.log(`\n${left} further requests, whose answers were not read.\n`);
}
