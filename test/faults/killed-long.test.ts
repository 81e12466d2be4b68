import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Case,
  countDooms,
  failuresOf,
  isWrite,
  manyDoomsEach,
  oneDoomEach,
  type Reference,
  type Subject,
  tellingPoints,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { killWorkers } from './support/kill-workers.ts';
import { fileParts, longRun } from './support/long-run.ts';
import { expectSoundBooks } from './support/sound-books.ts';

let ground: Ground;
let reference: Reference;

beforeAll(async () => {
  ground = await startGround();
  reference = await undisturbedRun(ground, longRun);
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
});

/** The bytes behind the last link that the run has told. */
async function savedFile({ desk, agentId }: Subject): Promise<string> {
  const links = (await desk.events(agentId)).flatMap(
    ({ result }) => /https?:\S+/.exec(String(result))?.[0] ?? [],
  );
  const saved = links.filter((link) => link.includes('tides.md')).at(-1) ?? '';
  const { pathname, search } = new URL(saved);
  const redirect = await desk.request(pathname + search);
  return (await fetch(redirect.headers.get('location') ?? '')).text();
}

/** What a run has committed of what it asked the outside server. */
async function committedWork({ desk, agentId }: Subject): Promise<string[]> {
  const results = (await desk.events(agentId)).filter(({ type }) => type === 'tool_result');
  const { ids } = await desk.charged(agentId);
  return [
    ...(results.some(({ toolName }) => toolName === 'document_parse') ? ['log:a.txt'] : []),
    ...(results.some(({ toolName }) => toolName === 'web_search') ? ['search:tides'] : []),
    ...ids.filter((id) => /^completion-[1-5]$/.test(id)),
    ...(ids.includes('proof-6-0') ? ['decision:2'] : []),
  ];
}

const kill = (one: Case): Promise<void> =>
  killWorkers(
    {
      ground,
      reference,
      runOf: longRun,
      committed: committedWork,
      async expectEnd(subject) {
        const { desk, agentId } = subject;
        expect(await desk.read(agentId)).toMatchObject({ citations: [{ support: 0.9 }, { support: 0.9 }] });
        expect(await savedFile(subject)).toBe(fileParts.join(''));
      },
    },
    one,
  );

test('the run that is killed reads on, saves in parts, continues its answer and proves it twice', () => {
  const { events, charged, points } = reference;
  expect(events.at(-1)).toMatchObject({
    type: 'done',
    finalText: 'High water is at noon (<label>) [1]. The toll is seven ducats (<label>) [1].',
  });
  expect(events.filter(({ type }) => type === 'text').map(({ text }) => text)).toContain(
    'High water is at noon (<label>) [1]. The toll is nine ducats (<label>) [1].',
  );
  const completions = Array.from({ length: 7 }, (_, i) => `completion-${i + 1}`);
  // The vectors of the log and of two queries.
  const embeddings = ['tool-1-0-0', 'tool-1-0-1', 'tool-2-0-0'];
  expect(charged.ids).toEqual([...completions, 'proof-1-0', 'proof-2-0', ...embeddings]);
  const saves = points.filter(({ kind }) => kind === 'save file');
  expect(saves).toHaveLength(fileParts.length);
  // The log, and the vectors of its passages.
  expect(points.filter(({ kind }) => kind === 'keep material')).toHaveLength(2);
});

const atOnce = 3;

// Workers of killed.test.ts are killed after every commit. Every second commit is enough for what is new in this run.
test('a worker that is killed with SIGKILL after any commit costs nothing, repeats nothing and leaves the whole file', async () => {
  const cases = manyDoomsEach(reference, 'after', { firsts: [2, 4, 6], stride: 6 });
  const commits = reference.points.filter(({ kind }) => kind === 'commit').length;
  expect(countDooms(cases)).toBe(Math.floor(commits / 2));
  expect(await failuresOf(cases, atOnce, kill)).toEqual([]);
});

// Claims and messages are not this run's own: workers of killed.test.ts are killed before and after these.
const ofAnyRun = ['commit', 'claim', 'hide message', 'delete message'];

test('a worker that is killed before or after each part of the file or kind of write of its own does the same', async () => {
  const writes = tellingPoints(reference).filter((point) => isWrite(point) && !ofAnyRun.includes(point.kind));
  const parts = reference.points.filter(({ kind }) => kind === 'save file').slice(0, -1);
  const cases = oneDoomEach([...writes, ...parts], ['before', 'after']);
  expect(await failuresOf(cases, atOnce, kill)).toEqual([]);
});
