import { freezeAccount, listKeys, thawAccount, updateKey } from '@errand/accounts';
import { queueHandler } from '@errand/runs';
import { claimRun, commitProgress, giveUp, readRun, releaseLease } from '@errand/runs/testing';
import { accountsDeps, runsDeps, workerDeps } from '@errand/service';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { type HandQueue, openHandQueue } from '../faults/support/hand-queue.ts';
import { expectSoundBooks } from '../faults/support/sound-books.ts';
import { byTurn, investigate, isSubRun, questionOf } from '../support/investigating-model.ts';
import { type Provider, type ScriptedAnswer, startProvider } from '../support/model-server.ts';
import { hookStore } from './support/held-readers.ts';

let ground: Ground;
let provider: Provider;
let hand: HandQueue;

beforeAll(async () => {
  const [own, started] = await Promise.all([startGround(), startProvider()]);
  provider = started;
  const outsideUrl = new URL(provider.baseUrl).origin;
  const toolsHost = new URL(own.outside.url).host;
  ground = { ...own, settings: { ...own.settings, outsideUrl, toolsHost, activeRunsPerAccount: 1 } };
});
afterEach(() => hand.close());
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
  await provider.close();
});

interface Shown {
  agentId: string;
  status: string;
  question?: string;
  error?: string;
  result?: string;
  parentRunId?: string;
  waiting?: { for: string; since: string; until?: string };
  usage: { credits: string };
}

const read = (agentId: string) => hand.desk.read(agentId) as Promise<unknown> as Promise<Shown>;

async function listed(query: string): Promise<Shown[]> {
  const response = await hand.desk.request(`/v1/agents/runs?${query}`);
  return ((await response.json()) as { runs: Shown[] }).runs;
}

const subRunsOf = (agentId: string) => listed(`parentRunId=${agentId}`);

/** Starts a run and has it give these questions away. Sub-runs answer by `answer`, or with their question. */
async function investigating(questions: string[], answer?: (question: string) => ScriptedAnswer | undefined) {
  const parent = byTurn(investigate(...questions), { text: 'Both at noon.' });
  provider.script((request) => {
    if (!isSubRun(request)) return parent(request);
    const question = questionOf(request);
    return answer?.(question) ?? byTurn({ text: `About ${question}` })(request);
  });
  hand = await openHandQueue(ground);
  const agentId = await hand.desk.start({ question: 'When?', effort: 'high' });
  await hand.deliver();
  return agentId;
}

/** What the run has read of its sub-runs. */
async function reportsOf(agentId: string): Promise<string> {
  const events = await hand.desk.events(agentId);
  return String(events.find(({ type }) => type === 'tool_result')?.result);
}

const endOf = async (agentId: string, method: 'POST' | 'DELETE' = 'POST') => {
  const path = `/v1/agents/runs/${agentId}${method === 'POST' ? '/cancel' : ''}`;
  return (await hand.desk.request(path, { method })).status;
};

test('a run that waits for its sub-runs says so, and leaves its place among the active runs to them', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  expect(await read(agentId)).toMatchObject({
    status: 'running',
    waiting: { for: 'sub_runs', since: expect.any(String), until: expect.any(String) },
  });
  expect(await subRunsOf(agentId)).toMatchObject(Array(2).fill({ status: 'queued', parentRunId: agentId }));
  const asked = provider.requests.length;
  const own = hand.messages.findIndex((body) => body.includes(agentId));
  await hand.deliver(own);
  expect(provider.requests).toHaveLength(asked);
  await hand.workOff();
  expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Both at noon.' });
});

test('sub-runs are listed by their run, which another key does not find', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  await hand.workOff();
  const all = await listed('limit=10');
  expect(all).toHaveLength(3);
  const of = (runs: Shown[]) => runs.map((run) => run.agentId).toSorted();
  expect(of(await subRunsOf(agentId))).toEqual(of(all.filter(({ parentRunId }) => parentRunId === agentId)));
  const page = (await (await hand.desk.request(`/v1/agents/runs?parentRunId=${agentId}&limit=1`)).json()) as {
    runs: Shown[];
    cursor: string;
  };
  const [rest] = await listed(`parentRunId=${agentId}&limit=5&cursor=${encodeURIComponent(page.cursor)}`);
  expect(of([...page.runs, rest!])).toEqual(of(await subRunsOf(agentId)));
  const other = hand.desk.as(await ground.newAccount());
  expect((await other.request(`/v1/agents/runs?parentRunId=${agentId}`)).status).toBe(404);
  const both = await hand.desk.request(`/v1/agents/runs?parentRunId=${agentId}&thread=${agentId}`);
  expect(both.status).toBe(400);
});

/** Has a worker take a run. What is returned gives it back. */
async function taken(agentId: string): Promise<() => Promise<void>> {
  const deps = { ...runsDeps(hand.desk.parts), leaseMilliseconds: 600_000 };
  const claim = await claimRun(deps, agentId, { alone: false, isSuspect: false });
  const token = claim.kind === 'claimed' ? claim.token : '';
  return () => releaseLease(deps, agentId, token, { died: false });
}

test('a run that is cancelled takes its sub-runs along, those in work too, and is deleted with them once they have ended', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const kiel = (await subRunsOf(agentId)).find(({ question }) => question === 'Kiel?')!.agentId;
  const giveBack = await taken(kiel);
  const asked = provider.requests.length;
  expect(await endOf(agentId)).toBe(202);
  expect(await endOf(agentId, 'DELETE')).toBe(409);
  await giveBack();
  await hand.workOff();
  expect(provider.requests).toHaveLength(asked);
  const error = 'Cancelled';
  expect(await read(agentId)).toMatchObject({ status: 'failed', error });
  expect(await subRunsOf(agentId)).toMatchObject(Array(2).fill({ status: 'failed', error }));
  expect(await endOf(agentId, 'DELETE')).toBe(204);
  expect(await listed('limit=10')).toEqual([]);
});

test('a sub-run that finds its run over ends, and asks no model', async () => {
  const agentId = await investigating(['Kiel?']);
  const [subRun] = await subRunsOf(agentId);
  const asked = provider.requests.length;
  // Its worker dies before it tells the sub-runs.
  const { parts } = hand.desk;
  const run = await readRun(runsDeps(parts), agentId);
  const events = [{ type: 'error' as const, message: 'Over.' }];
  await commitProgress(runsDeps(parts), run!, { token: undefined }, { events, costs: [] });
  await hand.deliver(hand.messages.findIndex((body) => body.includes(subRun!.agentId)));
  expect(await read(subRun!.agentId)).toMatchObject({ status: 'failed', error: 'Cancelled' });
  expect(provider.requests).toHaveLength(asked);
  await hand.workOff();
});

test.each<[string, (agentId: string) => Promise<unknown>, string, boolean]>([
  ['is cancelled', (agentId) => endOf(agentId), 'Error: The sub-run has failed: Cancelled', false],
  [
    'is deleted',
    async (agentId) => {
      await endOf(agentId);
      await endOf(agentId, 'DELETE');
    },
    'Error: The sub-run was deleted, with its report.',
    // Nobody knows what it had read.
    true,
  ],
])('a run goes on if one of its sub-runs %s by its caller', async (_, end, told, isOutside) => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const kiel = (await subRunsOf(agentId)).find(({ question }) => question === 'Kiel?');
  await end(kiel!.agentId);
  await hand.workOff();
  expect(await reportsOf(agentId)).toContain(`Report 1 on: Kiel?\n\n${told}`);
  expect(await reportsOf(agentId)).toContain('Report 2 on: Husum?\n\nAbout Husum?');
  const results = provider.requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
  expect(String(results.at(-1)?.content).startsWith('<outside_material')).toBe(isOutside);
  expect(await read(agentId)).toMatchObject({ status: 'succeeded' });
});

test('a run goes on if one of its sub-runs fails', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?'], (question) =>
    question === 'Kiel?' ? { status: 400 } : undefined,
  );
  await hand.workOff();
  expect(await reportsOf(agentId)).toContain('Report 1 on: Kiel?\n\nError: The sub-run has failed: ');
  expect(await read(agentId)).toMatchObject({ status: 'succeeded' });
});

test('a sub-run that has read a page searches for a saved value only if the question of its run names it, and saves none', async () => {
  const own = 'NL91ABNA0417164300';
  const saving = (name: string) => ({ name: 'save_data', args: { name, value: own } });
  const parent = byTurn({ calls: [saving('iban')] }, investigate('Search for the iban.'), { text: 'Noon.' });
  const page = { name: 'web_crawl', args: { url: `${ground.outside.url}/page/iban/a.html` } };
  const searching = { name: 'web_search', args: { query: own } };
  const child = byTurn(
    { calls: [{ name: 'read_data', args: { name: 'iban' } }, page] },
    { calls: [searching, saving('iban'), saving('other')] },
    { text: 'Noon.' },
  );
  provider.script((request) => (isSubRun(request) ? child(request) : parent(request)));
  hand = await openHandQueue(ground);
  const agentId = await hand.desk.start({ question: 'When?', effort: 'high' });
  await hand.workOff();
  const [subRun] = await subRunsOf(agentId);
  const events = await hand.desk.events(subRun!.agentId);
  const results = events.flatMap(({ type, result }) => (type === 'tool_result' ? String(result) : []));
  expect(results[0]).toBe(own);
  expect(results[1]).not.toMatch(/^Error/);
  expect(results.slice(2)).toEqual([
    expect.stringContaining('Error: This query carries the saved value "iban"'),
    ...Array(2).fill(expect.stringContaining('no value is saved here')),
  ]);
});

test('a question past the rate of its key is not worked on, and the model reads why', async () => {
  hand = await openHandQueue(ground);
  const deps = accountsDeps(hand.desk.parts);
  const [key] = await listKeys(deps, hand.desk.accountId);
  await updateKey(deps, key!.keyId, { rate: 3 });
  const parent = byTurn(investigate('Kiel?', 'Husum?', 'Emden?'), { text: 'Noon.' });
  provider.script((request) => (isSubRun(request) ? byTurn({ text: 'Noon.' })(request) : parent(request)));
  const agentId = await hand.desk.start({ question: 'When?', effort: 'high' });
  await hand.workOff();
  await updateKey(deps, key!.keyId, { rate: 1_000 });
  const reports = await reportsOf(agentId);
  expect(reports.match(/Error: The requests of this account are used up/g)).toHaveLength(1);
  expect(await subRunsOf(agentId)).toHaveLength(2);
});

test('charges name the skill of a run, and none for its sub-runs, which are not told it', async () => {
  const parent = byTurn(investigate('Kiel?'), { text: 'Noon.' });
  provider.script((request) => (isSubRun(request) ? byTurn({ text: 'Noon.' })(request) : parent(request)));
  hand = await openHandQueue(ground);
  const body = JSON.stringify({ name: 'tone', instructions: 'Be kind.' });
  expect((await hand.desk.request('/v1/skills', { method: 'POST', body })).status).toBe(201);
  const agentId = await hand.desk.start({ question: 'When?', effort: 'high', skills: 'tone' });
  await hand.workOff();
  const [subRun] = await subRunsOf(agentId);
  const { entries } = (await (await hand.desk.request('/v1/credits/entries')).json()) as {
    entries: { runId?: string; skill?: { name: string } }[];
  };
  const skillsOf = (id: string) => [
    ...new Set(entries.filter(({ runId }) => runId === id).map(({ skill }) => skill?.name)),
  ];
  expect([skillsOf(agentId), skillsOf(subRun!.agentId)]).toEqual([['tone'], [undefined]]);
});

test('webhooks are told of the end of the run, and of none of its sub-runs', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const body = JSON.stringify({ url: 'https://example.com/hook', events: ['run.succeeded'] });
  expect((await hand.desk.request('/v1/webhooks', { method: 'POST', body })).status).toBe(201);
  await hand.workOff();
  const sources = hand.told.map((told) => (JSON.parse(told) as { source: string }).source);
  expect(sources).toEqual([agentId]);
});

test('a run that goes on with its reports keeps its place among the active runs', async () => {
  const agentId = await investigating(['Kiel?']);
  const [subRun] = await subRunsOf(agentId);
  await hand.deliver(hand.messages.findIndex((body) => body.includes(subRun!.agentId)));
  const other = await hand.desk.start({ question: 'When else?' });
  // Its worker has taken it, and committed nothing yet.
  await hand.deliver(
    hand.messages.findIndex((body) => body.includes(agentId)),
    { kind: 'claim' },
  );
  const asked = provider.requests.length;
  await hand.deliver(hand.messages.findIndex((body) => body.includes(other)));
  expect(await read(other)).toMatchObject({ status: 'queued' });
  expect(provider.requests).toHaveLength(asked);
  await hand.workOff();
  for (const each of [agentId, other]) expect(await read(each)).toMatchObject({ status: 'succeeded' });
});

/** The requests to the table of runs that are made for each message which a worker is given. */
function countingWorker() {
  const { parts } = hand.desk;
  const store = hookStore(hand.desk);
  const work = queueHandler(workerDeps(parts));
  return async (body: string) => {
    const sent: string[] = [];
    store.answer = ({ name, input }, next) => {
      const text = JSON.stringify(input);
      const keys = text.match(/"sk":"RUN"/g)?.length;
      // A heartbeat comes with time.
      const counts =
        text.includes(parts.tables.runs) && !text.includes('SET leaseUntilMilliseconds = :until"');
      if (counts) sent.push(name === 'BatchGet' ? `${name} ${keys}` : name);
      return next();
    };
    const record = { messageId: 'by-hand', receiptHandle: 'by-hand', body, attributes: {} };
    const window = { stopping: () => false, abandon: new AbortController().signal };
    expect(await work({ Records: [record] }, window)).toEqual({ batchItemFailures: [] });
    store.answer = undefined;
    return sent;
  };
}

test('a run that is woken looks twice at the sub-runs that it still waits for: before it is taken, and when it goes on', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?', 'Emden?']);
  const wake = countingWorker();
  const seen: string[][] = [];
  for (const subRun of await subRunsOf(agentId)) {
    await hand.deliver(hand.messages.findIndex((body) => body.includes(subRun.agentId)));
    const woken = hand.messages.findIndex((body) => body.includes('isWake'));
    seen.push(await wake(hand.messages.splice(woken, 1)[0]!));
  }
  const looks = seen.map((sent) => sent.filter((name) => name.startsWith('BatchGet')));
  const [all, two, one] = [3, 2, 1].map((keys) => `BatchGet ${keys}`);
  // Then the reports are read, and the end of the run takes its sub-runs along.
  expect(looks).toEqual([
    [all, all],
    [two, two],
    [one, one, all, all],
  ]);
  for (const sent of seen.slice(0, 2)) expect(sent.length).toBeLessThanOrEqual(15);
  expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Both at noon.' });
});

test('what was seen of sub-runs counts for a run that waits for these, and for none that waits for others by now', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const deps = { ...runsDeps(hand.desk.parts), leaseMilliseconds: 600_000 };
  const { waitsForRuns = [] } = (await readRun(deps, agentId))!;
  const claimed = async (runIds: readonly string[]) =>
    claimRun(deps, agentId, { alone: false, isSuspect: false, seen: { runIds, isAnyOver: true } });
  for (const runIds of [[], waitsForRuns.slice(1), waitsForRuns.toReversed()])
    expect((await claimed(runIds)).kind).toBe('held');
  const claim = await claimed([...waitsForRuns]);
  expect(claim.kind).toBe('claimed');
  await releaseLease(deps, agentId, claim.kind === 'claimed' ? claim.token : '', { died: false });
  await hand.workOff();
  expect(await read(agentId)).toMatchObject({ status: 'succeeded', result: 'Both at noon.' });
});

/** Hands the message of a run to what handles those that the queue gave up on. */
async function loseMessageOf(agentId: string): Promise<void> {
  const at = hand.messages.findIndex((body) => body.includes(agentId));
  await giveUp(runsDeps(hand.desk.parts), hand.messages.splice(at, 1)[0]!);
}

test('a run goes on without a sub-run whose message the queue gave up on', async () => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const husum = (await subRunsOf(agentId)).find(({ question }) => question === 'Husum?');
  await loseMessageOf(husum!.agentId);
  await hand.workOff();
  expect(await reportsOf(agentId)).toMatch(/Husum\?\n\nError: The sub-run has failed: The run was stopped/);
  expect(await read(agentId)).toMatchObject({ status: 'succeeded', usage: { credits: '0.0006' } });
});

test.each<[string, (agentId: string) => Promise<unknown>]>([
  ['whose message the queue gave up on', loseMessageOf],
  ['of an account that is frozen', () => freezeAccount(accountsDeps(hand.desk.parts), hand.desk.accountId)],
])('a run %s while it waits ends with its sub-runs, and asks no model any more', async (_, befall) => {
  const agentId = await investigating(['Kiel?', 'Husum?']);
  const asked = provider.requests.length;
  await befall(agentId);
  await hand.workOff();
  await thawAccount(accountsDeps(hand.desk.parts), hand.desk.accountId);
  expect(provider.requests).toHaveLength(asked);
  expect(await read(agentId)).toMatchObject({ status: 'failed', usage: { credits: '0.00012' } });
  const ended = { status: 'failed', usage: { credits: '0' } };
  expect(await subRunsOf(agentId)).toMatchObject([ended, ended]);
});
