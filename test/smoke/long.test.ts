import {
  catalogueEntry,
  createScene,
  type LongTimes,
  longChecks,
  type Row,
  smoke,
  startModelServer,
  takeAway,
} from '@errand/smoke';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { type Breakable, type Breakage, startBreakable } from './support/breakable.ts';

const times: LongTimes = {
  silenceMilliseconds: 400,
  streamMilliseconds: 640,
  steps: 3,
  stepMilliseconds: 50,
  pieceMilliseconds: 400,
};

let breakable: Breakable;
let service: TestService;
let model: Awaited<ReturnType<typeof startModelServer>>;
let modelUrl: string;
beforeAll(async () => {
  breakable = await startBreakable();
  model = await startModelServer(0, times);
  modelUrl = `http://127.0.0.1:${model.port}`;
  const entry = catalogueEntry(modelUrl);
  service = await startTestService({ catalogue: { models: [entry], roles: { reasoning: entry.id } } });
  breakable.forwardTo(service.baseUrl);
});
afterAll(async () => {
  await service?.stop();
  await breakable?.close();
  model?.close();
});

const newScene = () => createScene({ baseUrl: breakable.baseUrl, key: service.apiKey });
const checks = () => longChecks(modelUrl, times);

test('a service with the model of the checks passes them, all at the same time', async () => {
  const scene = newScene();
  const rows = await smoke(scene, checks());
  expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(rows.map(({ seen }) => seen)).toEqual([
    expect.stringMatching(/^0.4 s without a word/),
    expect.stringMatching(/^32 words/),
    expect.stringMatching(/^3 steps in/),
    expect.stringMatching(/^an answer in one piece after/),
  ]);
  expect(await takeAway(scene)).toMatch(/^1 run,/);
});

test("a service whose catalogue lacks the model of the checks fails, and the catalogue's entry is printed", async () => {
  const own = await startTestService();
  try {
    const scene = createScene({ baseUrl: own.baseUrl, key: own.apiKey });
    const rows = await smoke(scene, checks());
    expect(rows.map(({ result }) => result)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(rows[0]?.seen).toContain(JSON.stringify(catalogueEntry(modelUrl)));
  } finally {
    await own.stop();
  }
});

const broken: { what: string; check: string; seen: RegExp; breakage: Breakage }[] = [
  {
    what: 'cuts connections that are silent',
    check: 'a long silence',
    seen: /ECONNRESET|aborted/,
    breakage: { idleMilliseconds: 200 },
  },
  {
    what: 'ends a stream in its middle',
    check: 'a long stream',
    seen: /the stream ends after .* with/,
    breakage: {
      of: ({ path }) => path.startsWith('/v1/chat'),
      answer: (a) => ({ ...a, body: a.body.subarray(0, a.body.length / 2) }),
    },
  },
  {
    what: 'loses events of a long run',
    check: 'a long run',
    seen: /the ids of its events are 1 2 4/,
    breakage: {
      of: ({ path }) => path.endsWith('/stream'),
      answer: (a) => ({ ...a, body: Buffer.from(a.body.toString().replace(/id: 3\n.*?\n\n/s, '')) }),
    },
  },
  {
    what: 'gives an answer in one piece up',
    check: 'a long answer',
    seen: /POST \/v1\/chat\/completions: 504/,
    breakage: {
      of: ({ path, body }) => path.startsWith('/v1/chat') && body.includes('"stream":false'),
      answer: (a) => ({ ...a, status: 504 }),
    },
  },
];

test.each(broken)('a service that $what fails "$check"', async ({ check, seen, breakage }) => {
  breakable.break(breakage);
  const rows = await smoke(newScene(), checks());
  breakable.break(undefined);
  const row = rows.find((each: Row) => each.check === check);
  expect(row).toMatchObject({ result: 'failed', seen: expect.stringMatching(seen) });
});

test('a service whose answers in one piece have the usual time is not asked for a longer one', () => {
  const names = longChecks(modelUrl, { ...times, pieceMilliseconds: undefined }).map(({ name }) => name);
  expect(names).toEqual(['a long silence', 'a long stream', 'a long run']);
});

test('each long check has a service that fails it', () => {
  const failed = new Set(broken.map(({ check }) => check));
  const names = checks().map(({ name }) => name);
  expect(names.filter((name) => !failed.has(name))).toEqual([]);
});
