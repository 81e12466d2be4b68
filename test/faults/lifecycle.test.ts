import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentEvent } from '@errand/agent';
import { initialState } from '@errand/agent/testing';
import type { Cost } from '@errand/money';
import { ConditionsFailed, limits, newUuid, toIso } from '@errand/platform';
import type { CreateRunBody, EndingDeps } from '@errand/runs/testing';
import {
  claimRun,
  commitProgress,
  isFinished,
  keptFields,
  type LeaseDeps,
  noteShared,
  pickFields,
  type RunRecord,
  type RunStatus,
  readEvents,
  readRun,
  releaseLease,
  renewLease,
  runStatuses,
  type StoredEvent,
  transitions,
  writeRun,
} from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HeldClock, heldClock } from '../support/accounts.ts';
import { countRequests } from '../support/count-requests.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, startGround } from './support/ground.ts';

let ground: Ground;
let desk: Desk;
let clock: HeldClock;
let deps: LeaseDeps & EndingDeps;
let requests: () => number;

const leaseMilliseconds = 60_000;

beforeAll(async () => {
  ground = await startGround();
  clock = heldClock();
  desk = await openDesk(ground, clock);
  deps = { ...runsDeps(desk.parts), leaseMilliseconds };
  requests = countRequests(ground.settings.endpoints.dynamodb);
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

describe('the table of transitions', () => {
  test('leads nowhere from a finished run, and from every other status to an end', () => {
    const from = (status: RunStatus) =>
      Object.values(transitions).filter((transition) =>
        (transition.from as readonly RunStatus[]).includes(status),
      );
    for (const status of runStatuses) {
      if (isFinished(status)) expect(from(status)).toEqual([]);
      else expect(from(status).some(({ to }) => isFinished(to))).toBe(true);
    }
  });

  test('is the one that is drawn in the documentation', async () => {
    const page = await readFile(path.resolve(import.meta.dirname, '../../docs/run-lifecycle.md'), 'utf8');
    const drawn = [...page.matchAll(/^ +(\w+) --> (\w+): (\w+)$/gm)].map(([, from, to, name]) => [
      from,
      to,
      name,
    ]);
    const written = Object.entries(transitions).flatMap(([name, { from, to }]) =>
      from.map((status) => [status, to, name]),
    );
    expect(drawn.toSorted()).toEqual(written.toSorted());
  });
});

const pauseMilliseconds = 2_000;

type Step =
  | { do: 'claim'; alone: boolean; isSuspect: boolean }
  | { do: 'renew' | 'share' }
  | { do: 'release'; died: boolean }
  | { do: 'commit'; end: 'none' | 'pause' | 'done' | 'error' | 'input_required'; paid: boolean }
  | { do: 'end' }
  | { do: 'wait'; milliseconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), alone: fc.boolean(), isSuspect: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'renew' }, { do: 'share' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), died: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      end: fc.constantFrom('none', 'none', 'none', 'none', 'pause', 'done', 'error', 'input_required'),
      paid: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'end' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(1_000, leaseMilliseconds - 1, leaseMilliseconds, 2 * leaseMilliseconds),
    }),
  },
);

interface Worker {
  run: RunRecord;
  token: string;
}

/** The state of the run that the steps so far must have led to. The test keeps it beside the store. */
interface Expected {
  status: RunStatus;
  /** The lease of the worker that may write: nobody else may claim the run before `until`. */
  holder?: { token: string; until: number; alone: boolean };
  deaths: number;
  deathsShared: number;
  events: number;
  amountNanoEuro: number;
  /** While the run waits for a provider: until when nobody may claim it. */
  waitsUntil?: number;
}

const endings: Record<string, AgentEvent[]> = {
  none: [],
  pause: [],
  done: [{ type: 'done', finalText: 'x' }],
  error: [{ type: 'error', message: 'x' }],
  input_required: [{ type: 'input_required', message: 'x', expected: [] }],
};

const endStatus = {
  none: 'running',
  pause: 'running',
  done: 'succeeded',
  error: 'failed',
  input_required: 'awaiting_input',
} as const;

async function newRun(): Promise<RunRecord> {
  const at = toIso(clock());
  const body = { question: 'x' };
  const run: RunRecord = {
    ...pickFields<CreateRunBody, (typeof keptFields)[number]>(body, keptFields),
    agentId: newUuid(),
    keyId: 'key',
    payer: { accountId: desk.accountId },
    status: 'queued',
    createdAt: at,
    updatedAt: at,
    expiresAt: toIso(clock() + limits.runReadableSeconds * 1000),
    lastEventId: 0,
    deaths: 0,
    sentAtMilliseconds: clock(),
    inputTokens: 0,
    outputTokens: 0,
    audioSeconds: 0,
    amountNanoEuro: 0,
  };
  await writeRun(deps, run, { agent: body, origin: 'http://localhost', requestId: 'x' });
  return run;
}

/** Takes one step of one worker. The expectation changes only if the transition table allows the step. */
async function take(agentId: string, workers: (Worker | undefined)[], who: number, now: Step, is: Expected) {
  const worker = workers[who];
  const isHolder = worker !== undefined && is.holder?.token === worker.token;
  switch (now.do) {
    case 'wait':
      return void clock.advance(now.milliseconds);
    case 'claim':
      return claim(agentId, workers, who, now, is);
    case 'share': {
      if (worker) await noteShared(deps, agentId, worker.token);
      if (isHolder && is.holder) is.holder.alone = false;
      return;
    }
    case 'renew': {
      if (!worker) return;
      expect((await renewLease(deps, agentId, worker.token)) !== undefined).toBe(isHolder);
      if (isHolder && is.holder) is.holder.until = clock() + leaseMilliseconds;
      return;
    }
    case 'release': {
      if (!worker) return;
      await releaseLease(deps, agentId, worker.token, { died: now.died });
      if (!isHolder) return;
      delete is.holder;
      if (now.died) is.deaths++;
      return;
    }
    case 'commit':
      return worker && commit(worker, isHolder, now, is);
    case 'end':
      return endUnheld(agentId, is);
  }
}

async function claim(
  agentId: string,
  workers: (Worker | undefined)[],
  who: number,
  { alone, isSuspect }: Step & { do: 'claim' },
  is: Expected,
): Promise<void> {
  const outcome = await claimRun(deps, agentId, { alone, isSuspect });
  const isLive = is.holder !== undefined && is.holder.until > clock();
  const isPausing = (is.waitsUntil ?? 0) > clock();
  const diedAlone = is.holder !== undefined && !isLive && is.holder.alone;
  const diedShared = is.holder !== undefined && !isLive && !is.holder.alone;
  const deaths = is.deaths + (diedAlone ? 1 : 0);
  const deathsShared = is.deathsShared + (diedShared ? 1 : 0);
  const mayHaveKilled = diedAlone || deathsShared >= 2;
  const free = deaths >= 3 ? 'poisoned' : mayHaveKilled && !isSuspect ? 'suspect' : 'claimed';
  const expected = isFinished(is.status) ? 'over' : isLive || isPausing ? 'held' : free;
  expect(outcome.kind).toBe(expected);
  if (outcome.kind !== 'claimed') return;
  workers[who] = { run: outcome.run, token: outcome.token };
  Object.assign(is, {
    status: 'running',
    deaths,
    deathsShared,
    holder: { token: outcome.token, until: clock() + leaseMilliseconds, alone },
  });
}

async function commit(
  worker: Worker,
  isHolder: boolean,
  { end, paid }: Step & { do: 'commit' },
  is: Expected,
): Promise<void> {
  const isPause = end === 'pause';
  const events: AgentEvent[] = isPause ? [] : [{ type: 'text', text: 'x' }, ...endings[end]!];
  const id = `completion-${worker.run.lastEventId}`;
  const cost: Cost = {
    id,
    kind: 'completion',
    model: 'writer',
    inputTokens: 1,
    outputTokens: 1,
    amountNanoEuro: 5,
  };
  const costs = paid && !isPause ? [cost] : [];
  const work = { events, costs, ...(isPause && { pauseMilliseconds }) };
  const committing = commitProgress(deps, worker.run, { token: worker.token }, work);
  if (!isHolder) {
    await expect(committing).rejects.toBeInstanceOf(ConditionsFailed);
    return;
  }
  worker.run = await committing;
  if (!isPause) {
    is.deaths = 0;
    is.deathsShared = 0;
  }
  is.status = endStatus[end];
  is.events += events.length;
  is.amountNanoEuro += costs.length * 5;
  if (isPause) is.waitsUntil = clock() + pauseMilliseconds;
  else delete is.waitsUntil;
  if (end !== 'none') delete is.holder;
}

/** Ends the run without its lease, as cancelling a waiting run and giving up on a run do. */
async function endUnheld(agentId: string, is: Expected): Promise<void> {
  const run = await readRun(deps, agentId);
  if (!run) throw new Error('the run is gone');
  const ending = commitProgress(deps, run, { token: undefined }, { events: endings.error!, costs: [] });
  const isFree = !isFinished(is.status) && !(is.holder && is.holder.until > clock());
  if (!isFree) {
    await expect(ending).rejects.toBeInstanceOf(ConditionsFailed);
    return;
  }
  await ending;
  is.status = 'failed';
  is.events++;
  delete is.waitsUntil;
  delete is.holder;
}

test.each([
  ['with its answer', endings.done!, 'rounds'],
  ['cancelled meanwhile', [], undefined],
])('a run that its worker has ended %s has the stop reason %s', async (_, events, stopReason) => {
  const { agentId } = await newRun();
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const state = { ...initialState, phase: 'ended' as const, stopReason: 'rounds' as const };
  await commitProgress(deps, claim.run, { token: claim.token }, { events, costs: [], state });
  expect((await readRun(deps, agentId))?.stopReason).toBe(stopReason);
});

test('whatever two workers do in whatever order, the run moves only as the table says, and events and charges add up', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(0, 1), step), { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const { agentId } = await newRun();
      const workers: (Worker | undefined)[] = [undefined, undefined];
      const is: Expected = {
        status: 'queued',
        deaths: 0,
        deathsShared: 0,
        events: 0,
        amountNanoEuro: 0,
      };
      for (const [who, now] of sequence) {
        await take(agentId, workers, who, now, is);
        const run = (await readRun(deps, agentId))!;
        expect({
          status: run.status,
          deaths: run.deaths,
          deathsShared: run.deathsShared ?? 0,
          events: run.lastEventId,
          amountNanoEuro: run.amountNanoEuro,
          token: run.leaseToken,
          alone: run.alone ?? false,
          waitsUntil: run.waitsUntilMilliseconds,
        }).toEqual({
          status: is.status,
          deaths: is.deaths,
          deathsShared: is.deathsShared,
          events: is.events,
          amountNanoEuro: is.amountNanoEuro,
          token: is.holder?.token,
          alone: is.holder?.alone ?? false,
          waitsUntil: is.waitsUntil,
        });
      }
      const events: StoredEvent[] = [];
      for await (const event of (await readEvents(deps, agentId, 0, 100)).events) events.push(event);
      expect(events.map(({ id }) => id)).toEqual(Array.from({ length: is.events }, (_, i) => i + 1));
      const ends = events.filter(
        ({ name }) => name === 'done' || name === 'error' || name === 'input_required',
      );
      expect(ends.map(({ id }) => id)).toEqual(isFinished(is.status) ? [is.events] : []);
      expect((await desk.charged(agentId)).sumNanoEuro).toBe(is.amountNanoEuro);
    }),
    { numRuns: 150 },
  );
});

const ordinary = { alone: false, isSuspect: false };

test('one of two workers that claim at the same moment gets the run, whatever its state was', async () => {
  for (const before of ['queued', 'given back', 'run out'] as const) {
    const { agentId } = await newRun();
    const first = before === 'queued' ? undefined : await claimRun(deps, agentId, ordinary);
    if (before === 'given back' && first?.kind === 'claimed')
      await releaseLease(deps, agentId, first.token, { died: false });
    if (before === 'run out') clock.advance(leaseMilliseconds);
    const sent = requests();
    const claims = await Promise.all([1, 2, 3].map(() => claimRun(deps, agentId, ordinary)));
    // A read and a write each: the losers are told of the winner by the answer to their write.
    expect(requests() - sent).toBeLessThanOrEqual(6);
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'held', 'held']);
    expect((await readRun(deps, agentId))?.deathsShared).toBe(before === 'run out' ? 1 : 0);
  }
});

test('a run whose worker’s process has ended is taken over at once, by one of those who know; any other waits for the lease', async () => {
  const processOf = (name: string, endedNames: string[] = []) => ({
    ...deps,
    process: { name, hasEnded: (token: string) => endedNames.some((each) => token.startsWith(each)) },
  });
  const { agentId } = await newRun();
  expect(await claimRun(processOf('folder.1'), agentId, ordinary)).toMatchObject({
    kind: 'claimed',
    abandoned: false,
  });
  for (const stranger of [deps, processOf('folder.1'), processOf('other.1', ['other.'])])
    expect((await claimRun(stranger, agentId, ordinary)).kind).toBe('held');
  const next = processOf('folder.2', ['folder.1']);
  const claims = await Promise.all([1, 2, 3].map(() => claimRun(next, agentId, ordinary)));
  expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'held', 'held']);
  expect(claims).toContainEqual(expect.objectContaining({ kind: 'claimed', abandoned: true }));
  // It counts as a death like any other.
  expect((await readRun(deps, agentId))?.deathsShared).toBe(1);
});

test('a service that is killed again and again within seconds ends no run: after its second death the run waits for the lease', async () => {
  const { agentId } = await newRun();
  const claims: string[] = [];
  for (let start = 1; start <= 2 * limits.deathsPerRun; start++) {
    const process = {
      name: `folder.${start}.`,
      hasEnded: (token: string) => !token.startsWith(`folder.${start}.`),
    };
    claims.push((await claimRun({ ...deps, process }, agentId, { alone: true, isSuspect: true })).kind);
  }
  expect(claims.slice(0, 2)).toEqual(['claimed', 'claimed']);
  expect(new Set(claims.slice(2))).toEqual(new Set(['held']));
});
